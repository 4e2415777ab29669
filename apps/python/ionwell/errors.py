# SPDX-License-Identifier: BSD-3-Clause
"""Exceptions and warnings of ionwell."""


class Error(Exception):
    """Something went wrong: bad data, a file that cannot be read or written, a device or a solver that fails. All
    that ionwell raises is one of these, but for MemoryError, KeyboardInterrupt, TypeError for a keyword that there
    is not or an argument that is no text where one must be, and what a progress function raises."""


class UsageError(Error, ValueError):
    """The request is invalid."""


class ArrayError(UsageError):
    """An array has a wrong shape, type or length, is empty, or holds NaN."""


class ExportError(Error, BufferError):
    """Another library requested something that DLPack cannot give: another device, or no copy although one is needed."""


class TooFewPlaced(Error):
    """No room was left for some of the ions; ``result`` has those that found some, and is None in another process."""

    result = None

    def __reduce__(self):
        return type(self), self.args


class IonwellWarning(UserWarning):
    """A warning of ionwell."""
