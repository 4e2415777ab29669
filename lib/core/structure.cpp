#include "core/structure.hpp"

#include <algorithm>
#include <ostream>

namespace ionwell {

std::ostream& operator<<(std::ostream& out, const Box& box) {
  const auto& [low, high] = box;
  return out << '(' << low.x << ", " << low.y << ", " << low.z << ") to (" << high.x << ", " << high.y << ", "
             << high.z << ')';
}

bool overlap(const Box& a, const Box& b) {
  return a.lowest_A.x <= b.highest_A.x && b.lowest_A.x <= a.highest_A.x &&  //
         a.lowest_A.y <= b.highest_A.y && b.lowest_A.y <= a.highest_A.y &&  //
         a.lowest_A.z <= b.highest_A.z && b.lowest_A.z <= a.highest_A.z;
}

Box bounding_box(std::span<const Atom> atoms) {
  Box box{atoms.front().position_A, atoms.front().position_A};
  for (const Atom& atom : atoms) {
    const Vec3<double>& p = atom.position_A;
    box.lowest_A = {std::min(box.lowest_A.x, p.x), std::min(box.lowest_A.y, p.y),
                    std::min(box.lowest_A.z, p.z)};
    box.highest_A = {std::max(box.highest_A.x, p.x), std::max(box.highest_A.y, p.y),
                     std::max(box.highest_A.z, p.z)};
  }
  return box;
}

double net_charge_e(std::span<const Atom> atoms) {
  double sum = 0.0;
  for (const Atom& atom : atoms) sum += atom.charge_e;
  return sum;
}

std::vector<PointCharge> point_charges(std::span<const Atom> atoms) {
  std::vector<PointCharge> charges;
  charges.reserve(atoms.size());
  for (const Atom& atom : atoms)
    if (atom.charge_e != 0.0) charges.push_back({atom.position_A, atom.charge_e});
  return charges;
}

std::string describe_residue(const Atom& atom) {
  std::string text(atom.residue.view());
  text += ' ';
  text += std::to_string(atom.residue_number);
  if (atom.insertion_code != ' ') text += atom.insertion_code;
  if (!atom.chain.empty()) text.append(" ").append(atom.chain.view());
  return text;
}

std::string describe(const Atom& atom) {
  return describe_residue(atom).append(" ").append(atom.name.view());
}

}  // namespace ionwell
