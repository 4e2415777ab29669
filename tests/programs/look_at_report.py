#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Opens the page of 'ionwell place --html' in Chromium: the picture is drawn, a click on a row moves the camera, a heading
sorts, nothing is on the console, nothing is asked of the network, and names with HTML in them do nothing.

    look_at_report.py chromium IONWELL STRUCTURE.pqr [SCREENSHOT.png]

Prints "skipped: " and why, and ends with 77, where there is no Chromium.
"""
import os
import shutil
import subprocess
import sys
import tempfile

from browser import Browser
from harness import check

# How many pixels of the picture differ from its corner, and in how many colours.
PIXELS = """(async () => {
  const image = new Image();
  image.src = page.viewer.pngURI();
  await image.decode();
  const sheet = document.createElement("canvas");
  [sheet.width, sheet.height] = [image.width, image.height];
  const context = sheet.getContext("2d");
  context.drawImage(image, 0, 0);
  const data = new Uint32Array(context.getImageData(0, 0, sheet.width, sheet.height).data.buffer);
  return [data.filter((pixel) => pixel !== data[0]).length / data.length, new Set(data).size];
})()"""

VIEW = "JSON.stringify(page.viewer.getView())"
FIRST = "document.querySelector('#ion-table tbody tr').dataset.ion"


def main():
    if len(sys.argv) not in (4, 5) or sys.argv[1] != "chromium":
        sys.exit(__doc__)
    ionwell, structure = sys.argv[2:4]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        hostile = os.path.join(folder, "<script>alert(1)<", "script> & '\".pqr")  # a path with </script>
        os.mkdir(os.path.dirname(hostile))
        shutil.copy(structure, hostile)
        page = os.path.join(folder, "report.html")
        subprocess.run([ionwell, "place", hostile, "--ion", "MG:4", "--ion", "NA:neutralize", "--ion", "CL:2", "--spacing", "1",
                        "-o", os.path.join(folder, "ions.pdb"), "--html", page, "--quiet"], check=True,
                       stderr=subprocess.DEVNULL)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        check(len(text) < 1_500_000, f"the page has {len(text)} characters")
        look(folder, "file://" + page)
        print("the page is drawn, sorts, and goes to an ion; no network, no message")


def look(folder, address):
    with Browser(os.path.join(folder, "profile")) as browser:
        browser.open(address)
        check(browser.value("document.title").startswith("script> & '\".pqr"), "the title is another")
        check(browser.value("page.count") == 4 + 14 + 2, "there are not 20 ions")
        check(browser.value("document.querySelectorAll('#ion-table tbody tr').length") == 20, "not every ion has a row")
        check(browser.value("document.querySelectorAll('#charts svg').length") == 5, "there are not five charts")
        check("<script>alert(1)</script>" in browser.value("document.getElementById('command').textContent"),
              "the command is another")
        drawn, colours = browser.value(PIXELS)
        check(drawn > 0.05 and colours > 100, f"of the picture {drawn:.3f} is drawn, in {colours} colours")

        before = browser.value(VIEW)
        browser.click('#ion-table tr[data-ion="3"]')
        browser.until(f"{VIEW} !== {before!r}", "a click on a row does not move the camera")
        browser.until("document.querySelectorAll('tr.chosen').length === 1 && document.querySelector('tr.chosen').dataset.ion === '3'",
                      "the row is not marked")
        browser.until(f"(() => {{ const now = {VIEW}, same = now === window.last; window.last = now; return same; }})()",
                      "the camera does not come to rest")
        x, y, z = browser.value("page.viewer.getView().slice(0, 3)")
        ion = browser.value("page.position(3)")
        check(all(abs(a + b) < 0.05 for a, b in zip((x, y, z), ion)), f"the camera is at {(x, y, z)} and the ion at {ion}")

        check(browser.value(FIRST) == "0", "rows do not begin in the order of placement")
        browser.click("#ion-table thead th:nth-child(3) button")
        browser.click("#ion-table thead th:nth-child(3) button")
        highest = browser.value("String(page.ions.energy_kT.indexOf(Math.max(...page.ions.energy_kT)))")
        browser.until(f"{FIRST} === {highest!r}", "a heading does not sort")
        check(browser.value("document.querySelector('[aria-sort]').textContent") == "Energy [kT]", "no heading says that it sorts")

        browser.value("document.getElementById('ion-colour').value = 'kind', "
                      "document.getElementById('ion-colour').dispatchEvent(new Event('change'))")
        check(browser.value("document.querySelectorAll('#legend i').length") == 3 + 2, "the legend lacks a kind")
        if len(sys.argv) == 5:
            browser.value("document.getElementById('reset').click()")
            browser.screenshot(sys.argv[4])
        check(not browser.said, f"on the console: {browser.said}")
        check(all(url.startswith(("file:", "data:", "blob:")) for url in browser.requests), f"it asks for {browser.requests}")


if __name__ == "__main__":
    main()
