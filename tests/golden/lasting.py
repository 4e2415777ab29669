# SPDX-License-Identifier: BSD-3-Clause
"""What lasts of a file: the same on every machine and with any number of threads, and another one when the file changes.

Text stays as it is but for times, memory, versions, names of devices and folders; numbers with more than five digits are
rounded to five where processors round them differently, and what is left of an equation, which is rounding, is left out. Of a map there are its header, statistics and samples.
"""
import gzip
import json
import re
import struct

EXACT = (".pdb", ".cif", ".gro", ".pqr", ".crd", ".rst7", ".xyz", ".in", ".py", ".namd", ".top", ".itp", ".ndx", ".psf")
MAPS = (".dx", ".dxbin", ".cube", ".grd", ".mrc", ".ccp4")
ROWS = ("time", "memory", "computed on", "speed", "GPU memory", "error")  # of summaries
KEYS = ("version", "backend", "timings_s", "memory_bytes", "refinement_s", "seconds", "candidates", "exact_sums", "blocks_updated",
        "measured_error_kT_e", "largest_energy_drift_kT", "residual")  # of reports
PICTURE = ("solute", "map")  # of pages
SAMPLES = 16  # values of a map


def rounded(text):
    def five(found):
        word = found.group()
        digits = re.sub(r"^[-0.]*", "", word.split("e")[0].split("E")[0]).replace(".", "")
        return word if len(digits) <= 5 else "0.0" if abs(float(word)) < 1e-9 else f"{float(word):.5g}"
    return re.sub(r"-?\d+\.\d+(?:[eE][-+]?\d+)?", five, text)


def lasting_text(text, replaced):
    """`replaced`: words of this run, and what stands for them."""
    for word, other in replaced:
        text = text.replace(word, other)
    return re.sub(r" --tune simd=\w+", "", text)


def lasting_summary(text):
    lines = [line for line in text.split("\n")
             if not line.startswith(ROWS) and not re.search(r": \d+ %, about", line)]
    text = re.sub(r" in [\d.]+ s, [\d.e+-]+ million a second", "", "\n".join(lines))
    text = re.sub(r"(?m)^(.{14} ) *\d+\.\d\d( +\d+)", r"\1TIME\2", text) if "protocol       time" in text else text
    return re.sub(r"(?m)^((?:coulomb|ddd)\S* +\d+ +\d+) +\d+\.\d\d ", r"\1 TIME ", rounded(text))


def without(value, keys):
    if isinstance(value, dict):
        return {name: without(part, keys) for name, part in value.items() if name not in keys}
    return [without(part, keys) for part in value] if isinstance(value, list) else value


def lasting_json(text):
    return rounded(json.dumps(without(json.loads(text), KEYS), indent=1, ensure_ascii=False))


def lasting_table(text):
    """Without a column of seconds."""
    rows = [line.split(",") for line in text.split("\n")]
    if "seconds" in rows[0]:
        at = rows[0].index("seconds")
        rows = [row[:at] + row[at + 1:] for row in rows]
    return rounded("\n".join(",".join(row) for row in rows))


def lasting_page(text):
    """Without its 3-D view, which not every build has."""
    text = re.sub(r"<!--\n.*?\n-->\n<script>.*?</script>", "", text, flags=re.S)
    begin = text.index('id="data">') + len('id="data">')
    end = text.index("</script>", begin)
    data = json.loads(text[begin:end])
    data = without(data, PICTURE)
    data["facts"] = [row for row in data["facts"] if row[0] not in ("Memory", "Computed on")]
    return text[:begin] + lasting_json(json.dumps(data)) + text[end:]


def lasting_ply(data):
    """The rows of a binary PLY file as text."""
    end = data.index(b"end_header\n") + len(b"end_header\n")
    header, kinds = data[:end].decode(), {"float": "f", "double": "d", "uchar": "B", "int": "i", "uint": "I"}
    lines, at = [header], end
    for element in re.finditer(r"element \w+ (\d+)\n((?:property .*\n)+)", header):
        properties = [line.split() for line in element.group(2).splitlines()]
        for _ in range(int(element.group(1))):
            row = []
            for words in properties:
                count = 1
                if words[1] == "list":
                    count = struct.unpack_from("<" + kinds[words[2]], data, at)[0]
                    at += struct.calcsize(kinds[words[2]])
                kind = f"<{count}" + kinds[words[-2]]
                row += struct.unpack_from(kind, data, at)
                at += struct.calcsize(kind)
            lines.append(" ".join(f"{x:.5g}" if isinstance(x, float) else str(x) for x in row))
    return "\n".join(lines)


def header_and_values(name, data):
    if name.endswith((".mrc", ".ccp4")):
        header = bytearray(data[:1024])
        header[76:88], header[216:220] = bytes(12), bytes(4)  # least, largest, mean and deviation
        labels = [header[at:at + 80].decode("latin-1").strip(" \0") for at in range(224, 1024, 80)]
        return "\n".join((header[:224].decode("latin-1"), *labels)), struct.unpack_from(f"<{(len(data) - 1024) // 4}f", data, 1024)
    if name.endswith(".dxbin"):
        at = data.index(b"data follows\n") + len(b"data follows\n")
        count = int(re.search(rb"items (\d+)", data[:at]).group(1))
        end = at + 8 * count
        return (data[:at] + data[end:]).decode(), struct.unpack_from(f"<{count}d", data, at)
    text = data.decode()
    if name.endswith(".dx"):
        at = text.index("data follows\n") + len("data follows\n")
        end = text.index("attribute", at)
    else:
        lines = text.split("\n")
        count = 5 if name.endswith(".grd") else 6 + abs(int(lines[2].split()[0]))
        at, end = sum(len(line) + 1 for line in lines[:count]), len(text)
    return text[:at] + text[end:], [float(word) for word in text[at:end].split()]


def lasting_map(name, data):
    header, values = header_and_values(name, data)
    step = max(1, len(values) // SAMPLES)
    sampled = [float(f"{v:.5g}") for v in (min(values), max(values), sum(values) / len(values), *values[::step])]
    return rounded(header) + f"{len(values)} values", sampled


def lasting(name, data, replaced, is_exact):
    """Text that lasts, and the numbers that are compared within a tolerance; none but for maps."""
    if name.endswith(".gz"):
        return lasting(name[:-3], gzip.decompress(data), replaced, is_exact)
    if name.endswith((".h5", ".cmap")):
        return data[:8].decode("latin-1"), []  # what is in it is converted by a command of its own
    numbers = []
    if name.endswith(MAPS):
        text, numbers = lasting_map(name, data)
    elif name.endswith(".ply"):
        text = lasting_ply(data)
    else:
        text = data.decode()
    text = lasting_text(text, replaced)
    if name.endswith(".json"):
        text = lasting_json(text)
    elif name.endswith(".html"):
        text = lasting_page(text)
    elif name.endswith(".txt"):
        text = lasting_summary(text)
    elif name.endswith(".csv"):
        text = lasting_table(text)
    elif not (is_exact and name.endswith(EXACT)):
        text = rounded(text)
    return text, numbers
