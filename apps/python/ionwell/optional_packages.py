# SPDX-License-Identifier: BSD-3-Clause
"""Packages that tables and plots need, and the rest of ionwell does not."""

import importlib as _importlib


def required(name, purpose):
    """The module of that name; ImportError that names its package where it cannot be imported."""
    try:
        return _importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise ImportError(f"{purpose} needs the package {package}, which cannot be imported ({error}); install it, for example "
                          f"by 'apt-get install python3-{package}' or 'pip install {package}'", name=package) from error
