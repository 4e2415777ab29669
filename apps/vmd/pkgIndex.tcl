# SPDX-License-Identifier: BSD-3-Clause
package ifneeded ionwell 0.2.0 [list source [file join $dir ionwell.tcl]]
