#include <iostream>

#include "core/lattice.hpp"

int main() {
  const ionwell::LatticeGeometry lattice = ionwell::lattice_in_box({{0, 0, 0}, {1, 1, 1}}, 0.5);
  std::cout << lattice.size() << " points\n";
  return lattice.size() == 27 ? 0 : 1;
}
