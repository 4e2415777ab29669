"""What ionwell raises and warns of."""


class Error(Exception):
    """Something went wrong: bad data, a file that cannot be read or written, a device or a solver that fails. All
    that ionwell raises is one of these, but for MemoryError, KeyboardInterrupt, TypeError for a keyword that there
    is not or an argument that is no text where one must be, and what a progress function raises."""


class UsageError(Error, ValueError):
    """What was asked for makes no sense."""


class ArrayError(UsageError):
    """An array has a wrong shape, type or length, is empty, or holds NaN."""


class ExportError(Error, BufferError):
    """Another library asks by DLPack for what cannot be had: on another device, or without a copy that it takes."""


class TooFewPlaced(Error):
    """No room was left for some of the ions; ``result`` has those that found some, and is None in another process."""

    result = None

    def __reduce__(self):
        return type(self), self.args


class IonwellWarning(UserWarning):
    """Something that one should read."""
