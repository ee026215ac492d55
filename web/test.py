#!/usr/bin/python3
"""Tests the page in headless Chromium: test.py PAGE [FOLDER]

Needs Debian's packages chromium, chromium-driver and python3-selenium. With a second argument,
saves pictures of an answer there: on a phone and on a desktop, in light and dark.
"""

import pathlib
import sys
import unittest

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

ADDRESS = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71"
ANSWER = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71"
ETHEREUM = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
# Two answers, after tens of seconds.
LONG = "1" + 32 * "a" + "1"


class Page(unittest.TestCase):
    def setUp(self):
        options = webdriver.ChromeOptions()
        # Without a sandbox it also runs as root.
        for option in ["--headless=new", "--no-sandbox", "--window-size=800,1050"]:
            options.add_argument(option)
        service = Service("/usr/bin/chromedriver")
        self.browser = webdriver.Chrome(service=service, options=options)
        self.addCleanup(self.browser.quit)
        self.browser.get(PAGE.resolve().as_uri())
        self.until(lambda: self.browser.find_elements(By.CSS_SELECTOR, "[data-nanoseconds]"))

    def until(self, condition):
        # Long enough for all that the page searches by itself, on a busy machine.
        # The page may replace an element while it is read.
        replaced = [StaleElementReferenceException]
        wait = WebDriverWait(self.browser, 600, 0.05, ignored_exceptions=replaced)
        return wait.until(lambda _: condition())

    def find(self, name):
        return self.browser.find_element(By.ID, name)

    def answers(self):
        found = self.browser.find_elements(By.CSS_SELECTOR, "#answers strong")
        return [address.text for address in found]

    def type(self, text):
        self.find("text").clear()
        self.find("text").send_keys(text)

    def recover(self, text):
        self.type(text)
        self.until(lambda: self.find("start").is_enabled())
        self.find("start").click()

    def figure(self, name):
        # The figures are folded.
        return self.find(name).get_property("textContent")

    def show_on(self, width, height, scheme="light"):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def width_beyond_the_window(self):
        return self.browser.execute_script(
            "return document.documentElement.scrollWidth - innerWidth"
        )

    def test_a_lost_case_is_recovered(self):
        self.recover(ADDRESS)
        self.until(self.answers)
        self.assertEqual(self.answers(), [ANSWER])
        self.assertIn("Bitcoin P2PKH", self.figure("kinds"))
        self.assertRegex(self.figure("cost"), r"^1,118,\d{3} hashes, about")
        self.assertIn("Bitcoin P2PKH, 99.", self.find("answers").text)
        self.assertIn("probably the address", self.find("status").text)
        # As the command-line tool says it.
        self.assertIn("99.8 % likely to be right: 1 in 512 random", self.figure("sure"))
        self.assertIn("1,118,736 hashes", self.figure("effort"))

    def test_the_answer_is_above_everything_else(self):
        self.find("example").click()
        self.find("start").click()
        self.until(self.answers)
        self.assertEqual(self.answers(), [ANSWER])
        top = lambda name: self.find(name).location["y"]
        self.assertLess(top("answers"), top("status"))
        self.assertLess(top("status"), top("figures"))
        is_shown = "return document.getElementById('kinds').checkVisibility()"
        self.assertFalse(self.browser.execute_script(is_shown))
        self.find("figures").find_element(By.TAG_NAME, "summary").click()
        self.assertTrue(self.browser.execute_script(is_shown))

    def test_an_answer_can_be_copied(self):
        self.browser.execute_cdp_cmd(
            "Browser.grantPermissions",
            {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]},
        )
        self.recover(ADDRESS)
        self.until(self.answers)
        copy = self.find("answers").find_element(By.TAG_NAME, "button")
        copy.click()
        self.until(lambda: copy.text in ("Copied", "Selected"))
        if copy.text == "Copied":
            read = "navigator.clipboard.readText().then(arguments[0], arguments[0])"
            self.assertEqual(self.browser.execute_async_script(read), ANSWER)
        else:
            self.assertEqual(self.browser.execute_script("return `${getSelection()}`"), ANSWER)

    def test_unreadable_characters_are_recovered(self):
        self.recover("18ryVioVmwFYzhRZKTjKqGYCj?UjoxH3k?")
        self.until(self.answers)
        self.assertEqual(self.answers(), ["18ryVioVmwFYzhRZKTjKqGYCjkUjoxH3k6"])

    def test_other_damage_is_recovered(self):
        Select(self.find("damage")).select_by_value("swapped")
        self.recover(ANSWER[:9] + ANSWER[10] + ANSWER[9] + ANSWER[11:])
        self.until(self.answers)
        self.assertEqual(self.answers(), [ANSWER])

    def test_damage_that_nobody_described_is_recovered(self):
        self.recover(ANSWER.replace("X71", "271"))
        self.until(self.answers)
        self.assertEqual(self.answers(), [ANSWER])
        status = self.find("status").text
        self.assertIn("1 character was wrong: ...4Zn271 -> ...4ZnX71.", status)
        self.assertIn("the text as written, one look-alike character", self.figure("tried"))

    def test_other_formats_are_corrected(self):
        self.type("bc1qw508d6qejxtdg5y5r3zarvary0c5xw7kv8f3s4")
        self.until(self.answers)
        self.assertEqual(self.answers(), ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"])
        status = self.find("status").text
        self.assertIn("Found: this is probably the address. 2 characters were wrong:", status)
        self.assertFalse(self.find("start").is_enabled())

    def test_ethereum_is_searched(self):
        self.type("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee")
        self.until(self.answers)
        self.assertEqual(self.answers(), ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"])
        status = self.find("status").text
        self.assertIn("Found: this is probably the address. 1 character was wrong:", status)

    def test_nothing_is_found_where_nothing_fits(self):
        # Neither as written nor with any damage that the page tries by itself, however fast.
        self.recover("18ryviovmwfyzhrzktjkqgycjkujoxh3k5")
        self.until(lambda: "Not found as written" in self.find("status").text)
        self.assertEqual(self.answers(), [])
        status = self.find("status").text
        # In one line: what was tried, what was not, and what would help.
        self.assertRegex(status, r"and with \d+ kinds of damage; .* would take long or be noise")
        self.assertIn("Write ? for each character that may be wrong", status)
        self.assertIn(self.figure("next"), status)
        self.assertIn("choose it above", status)

    def test_a_key_beside_an_address_is_left_out(self):
        self.recover(f"To {ADDRESS}\nTXID: {'0c28fca386c7a227' * 4}")
        self.until(self.answers)
        self.assertEqual(self.answers(), [ANSWER])
        self.assertIn("64 characters beside the address are left out", self.find("left-out").text)

    def test_each_address_of_a_text_is_answered(self):
        bech32 = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
        noise = "18ryviovmwfyzhrzkt????ycjkujoxh3k6"
        other = "18ryVioVmwFYzhRZKTjKqGYCj?UjoxH3k?"
        text = f"From {ADDRESS} to {bech32[:-2]}s4, {noise} or {other}"
        self.type(text)
        lines = lambda: self.find("status").text.split("\n")
        self.until(lambda: len(lines()) == 4)
        self.assertEqual(self.answers(), [bech32])
        self.assertRegex(lines()[0], "^Address 1: The search takes about ")
        self.assertIn("Address 2: Found: this is probably the address.", lines()[1])
        self.assertIn("Address 3: The answer would be noise", lines()[2])
        self.find("start").click()
        found = [ANSWER, bech32, "18ryVioVmwFYzhRZKTjKqGYCjkUjoxH3k6"]
        self.until(lambda: self.answers() == found)
        self.assertIn("Address 1: Found: this is probably the address.", lines()[0])
        self.assertRegex(lines()[3], "^Address 4: Found: this is ")
        self.assertFalse(self.find("start").is_enabled())
        self.assertFalse(self.find("progress").is_displayed())

    def test_no_part_of_a_key_beside_addresses_is_shown(self):
        digits = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
        half = "KwdMAjGmerYanjeui5SHS7Jkmp"
        for secret in (digits, f"key {digits[:40]}", f"WIF {half}"):
            self.type(" ")
            self.until(lambda: not self.find("status").text)
            self.type(f"{ANSWER} and {ADDRESS}\n{secret}")
            self.until(lambda: self.find("status").text)
            shown = self.browser.find_element(By.TAG_NAME, "main").get_property("innerText")
            for at in range(len(secret) - 7):
                self.assertNotIn(secret[at:at + 8], shown)

    def test_no_part_of_a_key_is_shown(self):
        digits = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
        grouped = " ".join(digits[at:at + 8] for at in range(0, 64, 8))
        # The second is version 128 before 32 bytes 0xaa, with a wrong checksum.
        for key in (f"ETH 0x{grouped}", "5K7T2qR7K5MUMDmkJvCEPbUeALuPyc6LFEnBiwWLuKCEVdAL9Z9"):
            self.type(key)
            self.until(lambda: "keep it secret" in self.find("status").text)
            self.assertEqual(self.answers(), [])
            self.assertFalse(self.find("start").is_enabled())
            shown = self.browser.find_element(By.TAG_NAME, "main").get_property("innerText")
            for at in range(len(key) - 7):
                self.assertNotIn(key[at:at + 8], shown)

    def test_damage_that_cannot_be_undone_is_named(self):
        # Digits are missing, and no letter has a case that tells which.
        self.type("0x5aaeb6053f3e94c9b9a09f33669435e7ef1bea")
        self.until(lambda: "cannot be undone" in self.find("status").text)
        self.assertEqual(self.answers(), [])
        self.assertFalse(self.find("start").is_enabled())

    def test_ethereum_is_searched_in_workers(self):
        # More than is searched while it is typed: two digits are wrong, and one is unreadable.
        text = ETHEREUM.replace("3E94C9b9A", "3E94C?b9A").replace("7Ef1Be", "7Ef2Bf")
        self.recover(text)
        self.until(self.answers)
        found = ["0x5aAeb6053F3E94C9b9A09f33669D35E7fE2BfAed",
                 "0x5aAeb6053F3E94CFb9A09fd36694357EEf2BfAed"]
        self.assertEqual(self.answers(), found)
        self.assertIn("Ethereum", self.figure("kinds"))
        # As the command-line tool says it.
        sure = "uncertain, each 1 % likely to be right: nobody described"
        self.assertIn(sure, self.figure("sure"))
        self.assertIn("378,096 hashes", self.figure("effort"))

    def test_garbage_is_an_error(self):
        self.type("garbage")
        self.until(lambda: self.find("status").text)
        status = self.find("status").text
        self.assertIn("this is a word, not a damaged address", status)
        self.assertFalse(self.find("start").is_enabled())

    def test_noise_is_refused(self):
        self.type("18ryviovmwfyzhrzkt????ycjkujoxh3k6")
        self.until(lambda: "The answer would be noise" in self.find("status").text)
        self.assertFalse(self.find("start").is_enabled())

    def test_a_valid_address_is_recognised(self):
        self.type(ANSWER)
        self.until(lambda: "valid address already" in self.find("status").text)
        self.assertEqual(self.answers(), [ANSWER])

    def test_a_search_can_be_cancelled(self):
        self.recover(LONG)
        progress = self.find("progress")
        self.until(lambda: 0 < float(progress.get_property("value")) < 1)
        self.assertIn("left", self.find("status").text)
        self.find("cancel").click()
        self.assertEqual(self.find("status").text, "Cancelled.")
        self.assertFalse(progress.is_displayed())
        self.recover(ADDRESS)
        self.until(self.answers)
        self.assertEqual(self.answers(), [ANSWER])

    def test_phones_and_desktops_show_everything(self):
        for scheme in ("light", "dark"):
            for width, height in ((360, 740), (1280, 800)):
                self.show_on(width, height, scheme)
                self.browser.refresh()
                measured = By.CSS_SELECTOR, "[data-nanoseconds]"
                self.until(lambda: self.browser.find_elements(*measured))
                self.recover(ADDRESS)
                self.until(self.answers)
                self.assertEqual(self.browser.execute_script("return innerWidth"), width)
                self.assertLessEqual(self.width_beyond_the_window(), 0)
                # On a phone, without scrolling.
                bottom = self.find("answers").rect
                self.assertLess(bottom["y"] + bottom["height"], height)
                if FOLDER:
                    self.browser.save_screenshot(str(FOLDER / f"{width}-{scheme}.png"))

    def test_nothing_can_be_sent(self):
        refused = self.browser.execute_async_script(
            """
            const done = arguments[0];
            let directive;
            document.onsecuritypolicyviolation = (event) => directive = event.effectiveDirective;
            const refused = () => setTimeout(() => done(directive));
            fetch("http://127.0.0.1:9/").then(() => done("sent"), refused);
            """
        )
        self.assertEqual(refused, "connect-src")
        self.recover(ADDRESS)
        self.until(self.answers)
        loaded = self.browser.execute_script(
            "return performance.getEntriesByType('resource').map((entry) => entry.name)"
        )
        self.assertEqual([name for name in loaded if not name.startswith("blob:")], [])


if __name__ == "__main__":
    PAGE = pathlib.Path(sys.argv.pop(1))
    FOLDER = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None
    unittest.main()
