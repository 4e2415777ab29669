# SPDX-License-Identifier: BSD-3-Clause
"""Chromium without a window, told what to do by the DevTools protocol over a pipe."""
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time

from harness import check, skip

# A software renderer for WebGL, and nothing that calls home by itself.
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader",
           "--enable-unsafe-swiftshader", "--no-first-run", "--disable-background-networking", "--disable-component-update",
           "--window-size=900,700", "--remote-debugging-pipe"]

# The browser reads from descriptor 3 and writes to 4; they go there by way of numbers that neither has.
CONNECT = """
import os, sys
ends = [os.dup2(int(word), 100 + n) for n, word in enumerate(sys.argv[1:3])]
for n, end in enumerate(ends):
    os.dup2(end, 3 + n)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """One page. `said` has what it wrote to the console and what it threw, `requests` the addresses it asked for."""

    def __init__(self, folder):
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        program = program or skip("there is no chromium here")
        to_browser, self.out = os.pipe()
        self.input, from_browser = os.pipe()

        command = [sys.executable, "-c", CONNECT, str(to_browser), str(from_browser), program, *OPTIONS,
                   f"--user-data-dir={folder}", "about:blank"]
        self.process = subprocess.Popen(command, pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.said, self.requests, self.loaded = b"", 0, [], [], False
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)  # and those that it has started
        self.process.wait()
        os.close(self.out)
        os.close(self.input)

    def message(self, limit_s):
        """The next one that the browser sends."""
        end = time.monotonic() + limit_s
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.input], [], [], max(end - time.monotonic(), 0))
            check(ready, "chromium does not answer")
            more = os.read(self.input, 1 << 20)
            check(more, "chromium has ended")
            self.buffer += more
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def note(self, event):
        parameters = event.get("params", {})
        match event.get("method"):
            case "Runtime.consoleAPICalled":
                self.said.append(" ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))
            case "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                self.said.append(details.get("exception", {}).get("description", details["text"]))
            case "Log.entryAdded":
                if parameters["entry"]["source"] != "rendering":  # of the driver: a slow read of pixels
                    self.said.append(parameters["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])
            case "Page.loadEventFired":
                self.loaded = True

    def call(self, method, limit_s=120, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.out, json.dumps(command).encode() + b"\0")
        while True:
            answer = self.message(limit_s)
            if answer.get("id") == self.number:
                check("error" not in answer, f"chromium, {method}: {answer.get('error')}")
                return answer["result"]
            self.note(answer)

    def open(self, url):
        self.loaded = False
        self.call("Page.navigate", url=url)
        while not self.loaded:
            self.note(self.message(120))

    def value(self, expression):
        """What JavaScript gives, promises kept."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        check("exceptionDetails" not in result, f"{expression}: {result.get('exceptionDetails')}")
        return result["result"].get("value")

    def until(self, expression, what, limit_s=60):
        end = time.monotonic() + limit_s
        while not self.value(expression):
            check(time.monotonic() < end, what)
            time.sleep(0.05)

    def click(self, selector):
        """The middle of the first element, with the mouse."""
        x, y = self.value(f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: "center"}});
            const box = element.getBoundingClientRect();
            return [box.x + Math.min(box.width, 100) / 2, box.y + box.height / 2];
        }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
