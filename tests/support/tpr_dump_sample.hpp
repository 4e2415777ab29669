// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace ionwell::test {

/// What gmx dump -s prints (GROMACS 2022.5), less what is of no use here.
inline const std::string tpr_dump_sample = R"(x.tpr:
inputrec:
      x:
topology:
   name="Protein in water"
   #atoms                         = 4
   molblock (0):
      moltype              = 0 "RNA_chain_C"
      #molecules                     = 1
   molblock (1):
      moltype              = 1 "CL"
      #molecules                     = 2
   moltype (0):
      name="RNA_chain_C"
            atom[     0]={type=  0, typeB=  0, ptype=    Atom, m= 1.60000e+01, q=-6.22300e-01, mB= 1.60000e+01, qB=-6.22300e-01, resind=    0, atomnumber=  8}
            atom[     1]={type=  1, typeB=  1, ptype=    Atom, m= 1.00800e+00, q= 4.29500e-01, mB= 1.00800e+00, qB= 4.29500e-01, resind=    1, atomnumber=  1}
         atom (2):
            atom[0]={name="O5'"}
            atom[1]={name="H5T"}
         type (2):
            type[0]={name="OH",nameB="OH"}
            type[1]={name="HO",nameB="HO"}
         residue (2):
            residue[0]={name="G", nr=7, ic=' '}
            residue[1]={name="G", nr=7, ic='A'}
cmap
   moltype (1):
      name="CL"
      atoms:
         atom (1):
            atom[     0]={type= 16, typeB= 16, ptype=    Atom, m= 3.54500e+01, q=-1.00000e+00, mB= 3.54500e+01, qB=-1.00000e+00, resind=    0, atomnumber= 17}
         atom (1):
            atom[0]={name="CL"}
         residue (1):
            residue[0]={name="CL", nr=1, ic=' '}
grp[T-Coupling  ] nr=1, name=[ rest]
box (3x3):
   box[    0]={ 6.91866e+00,  0.00000e+00,  0.00000e+00}
   box[    1]={ 0.00000e+00,  6.91866e+00,  0.00000e+00}
   box[    2]={ 3.45933e+00,  3.45933e+00,  4.89223e+00}
box_rel (3x3):
   box_rel[    0]={ 0.00000e+00,  0.00000e+00,  0.00000e+00}
x (4x3):
   x[    0]={ 6.21800e+00,  4.66700e+00,  3.35500e+00}
   x[    1]={ 6.25100e+00,  4.69800e+00,  3.26600e+00}
   x[    2]={ 6.23100e+00,  4.77200e+00,  3.45100e+00}
   x[    3]={ 6.17700e+00,  4.85000e+00, -3.41800e+00}
v (4x3):
   v[    0]={ 0.00000e+00,  0.00000e+00,  0.00000e+00}
Group statistics
)";

}  // namespace ionwell::test
