# SPDX-License-Identifier: BSD-3-Clause
"""What MkDocs does with a page before it renders it: equations, and links to files that are not of the site."""
import os
import re
from html import escape
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
SYMBOLS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "varepsilon": "ε", "kappa": "κ", "lambda": "λ", "mu": "μ", "pi": "π",
    "rho": "ρ", "xi": "ξ", "sigma": "σ", "phi": "φ", "Delta": "Δ", "nabla": "∇", "infty": "∞",
}
OPERATORS = {
    "cdot": "⋅", "times": "×", "le": "≤", "ge": "≥", "approx": "≈", "pm": "±", "sum": "∑", "int": "∫", "min": "min", "exp": "exp",
    "ln": "ln", "sinh": "sinh", "erfc": "erfc", "sqrt": "√", "to": "→", "propto": "∝", "lvert": "|", "rvert": "|", "in": "∈",
    "cosh": "cosh", "langle": "⟨", "rangle": "⟩", "prime": "′", "mp": "∓", "ne": "≠",
}
TOKEN = re.compile(r"\\text\{([^}]*)\}|\\([A-Za-z]+|[,;])|(\d+(?:\.\d+)?)|([A-Za-z])|([{}^_])|(\S)")


class Equation:
    """The LaTeX that the pages use as MathML, which browsers draw by themselves."""

    def __init__(self, text):
        self.tokens = [match for match in TOKEN.finditer(text)]
        self.at = 0

    def next(self):
        if self.at == len(self.tokens):
            raise ValueError("the equation ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def peek(self):
        return self.tokens[self.at].group(0) if self.at < len(self.tokens) else ""

    def row(self, end=""):
        parts = []
        while self.peek() != end:
            parts.append(self.scripted())
        if end:
            self.next()
        return "<mrow>" + "".join(parts) + "</mrow>"

    def atom(self):
        token = self.next()
        text, command, number, letter, brace, other = token.groups()
        if text is not None:
            return f"<mtext>{escape(text)}</mtext>"
        if number:
            return f"<mn>{number}</mn>"
        if letter:
            return f"<mi>{letter}</mi>"
        if brace == "{":
            return self.row("}")
        if brace:
            raise ValueError(f"'{brace}' stands where nothing is to be raised or lowered")
        if other:
            return f'<mo stretchy="false">{escape(other)}</mo>'
        if command in (",", ";", "quad"):
            return f'<mspace width="{ {",": "0.17em", ";": "0.28em", "quad": "1em"}[command]}"/>'
        if command == "frac":
            return f"<mfrac>{self.atom()}{self.atom()}</mfrac>"
        if command == "sqrt":
            return f"<msqrt>{self.atom()}</msqrt>"
        if command == "mathbf":
            return self.atom().replace("<mi>", '<mi mathvariant="normal" class="bold">')
        if command in ("left", "right"):
            return f'<mo stretchy="true">{escape(self.next().group(0))}</mo>'
        if command in SYMBOLS:
            return f"<mi>{SYMBOLS[command]}</mi>"
        if command in OPERATORS:
            word = OPERATORS[command]
            return f"<mi>{word}</mi>" if word.isalpha() and word.isascii() else f'<mo stretchy="false">{word}</mo>'
        raise ValueError(f"\\{command} is not among the words of site_hooks.py")

    def scripted(self):
        below_and_above = self.peek() in (r"\sum", r"\int", r"\min")
        base, lower, upper = self.atom(), "", ""
        while self.peek() in ("^", "_"):
            mark = self.next().group(0)
            if mark == "_":
                lower = self.atom()
            else:
                upper = self.atom()
        kind = ("munder", "mover", "munderover") if below_and_above else ("msub", "msup", "msubsup")
        if lower and upper:
            return f"<{kind[2]}>{base}{lower}{upper}</{kind[2]}>"
        if lower or upper:
            name = kind[0] if lower else kind[1]
            return f"<{name}>{base}{lower or upper}</{name}>"
        return base


def mathml(text):
    return f'<div class="equation"><math display="block">{Equation(text).row()}</math></div>'


def linked(match, folder):
    """A link that leads out of the site becomes the path of the file in the repository."""
    words, address = match.groups()
    target = (folder / address.split("#")[0]).resolve()
    pages = REPOSITORY / "examples/docs/pages"
    if re.match(r"[a-z]+:|#|html/", address) or target.is_relative_to(pages):
        return match.group(0)
    path = os.path.relpath(target, REPOSITORY)
    return f"`{path}`" if words.strip("`") == path else f"{words} (`{path}`)"


def on_page_markdown(markdown, page, **_):
    markdown = re.sub(r"^```math\n(.*?)^```$", lambda m: mathml(m.group(1)), markdown, flags=re.M | re.S)
    folder = Path(page.file.abs_src_path).parent
    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.M | re.S)
    for n in range(0, len(parts), 2):
        parts[n] = re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", lambda m: linked(m, folder), parts[n])
    return "".join(parts)
