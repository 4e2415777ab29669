// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <string>

/// Temporary files whose owner is known to live or to be dead: it holds a lock on them, which the system
/// drops when the process ends, however that is. Process numbers would not do, for they come again.
namespace ionwell {

/// The name of a temporary file of this process, another one at each call. It begins with ".ionwell-" and the
/// machine's name, because other machines may see the file and not the lock; `ending` says what it is for.
std::string owned_name(const std::string& ending);

constexpr const char *part_ending = ".part",  // an unfinished output file
    *mark_ending = ".owner";                  // in a scratch folder: whose it is

/// Creates `path` for writing, which must not be there, and locks it, where the disk knows locks, until the
/// descriptor and its copies are closed. Returns that, or -1 and errno: EEXIST asks for another name.
int create_owned_file(const std::string& path, mode_t mode) noexcept;

/// Removes the unfinished output files that this user's runs on this machine left in `folder` when they were
/// killed. Those of runs that live stay, as does what is no such file, and all on a disk without locks. What
/// cannot be looked at is left as well, without a word.
void remove_left_files(const std::string& folder);

/// Likewise the scratch folders in `folder`, which are those with a mark in them.
void remove_left_folders(const std::string& folder);

/// Removes a file, or a folder with all that is in it; links in it are not followed. Returns whether it is
/// gone. Unlike std::filesystem's function, which may end the program, it can be tried again without memory.
bool remove_tree(const std::string& path) noexcept;

}  // namespace ionwell
