"""The window, photographed under Xvfb where it is installed: look at target/plugin/pictures."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import numpy
import pytest
from PIL import Image

from conftest import BUNDLE, ROOT, preset_of, scene_text, state_of

PICTURES = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target/plugin")) / "pictures"

# In a process of its own: a window keeps its thread, and what goes wrong in it ends its host.
HOST = """
import os, sys, threading, time
import dawdreamer
from PIL import ImageGrab
bundle, preset, picture = sys.argv[1:]
host = dawdreamer.RenderEngine(48_000, 512)
plugin = host.make_plugin_processor("ictus", bundle)
plugin.load_vst3_preset(preset)
for number in range(40):
    plugin.add_midi_note((57, 60, 64, 67, 72)[number % 5], 110, 0.25 * number, 0.2)
host.load_graph([(plugin, [])])
def play():
    while True:
        host.render(0.5)
def photograph():
    # Until something is drawn, at most so long.
    for _ in range(100):
        time.sleep(0.2)
        image = ImageGrab.grab(xdisplay=os.environ["DISPLAY"])
        if len(image.getcolors(1 << 24)) > 200 and _ > 8:
            break
    image.save(picture)
    os._exit(0)
threading.Thread(target=play, daemon=True).start()
threading.Thread(target=photograph, daemon=True).start()
plugin.open_editor()
"""

# Somebody who types the path of a file that is not there, then changes the text, and then picks another scene; what the project keeps.
TYPING = """
import os, sys, threading, time
import dawdreamer
from PIL import ImageGrab
from Xlib import X, XK, display
from Xlib.ext import xtest
bundle, preset, picture, kept = sys.argv[1:]
host = dawdreamer.RenderEngine(48_000, 512)
plugin = host.make_plugin_processor("ictus", bundle)
plugin.load_vst3_preset(preset)
host.load_graph([(plugin, [])])
host.render(0.1)
screen = display.Display()
def send(kind, detail=0, **more):
    xtest.fake_input(screen, kind, detail, **more)
    screen.sync()
    time.sleep(0.1)
def click(x, y):
    send(X.MotionNotify, x=x, y=y)
    send(X.ButtonPress, 1)
    send(X.ButtonRelease, 1)
    time.sleep(0.5)
def type_keys(words):
    for word in words:
        key = screen.keysym_to_keycode(XK.string_to_keysym({"/": "slash", ".": "period", "\\n": "Return"}.get(word, word)))
        send(X.KeyPress, key)
        send(X.KeyRelease, key)
def act():
    while len(ImageGrab.grab(xdisplay=os.environ["DISPLAY"]).getcolors(1 << 24)) < 50:
        time.sleep(0.2)
    time.sleep(2)
    click(95, 73)
    type_keys("no/such.toml\\n")
    time.sleep(1)
    ImageGrab.grab(xdisplay=os.environ["DISPLAY"]).save(picture)
    plugin.save_state(kept + ".before")
    click(196, 13)
    click(500, 300)
    type_keys("abc")
    click(45, 304)
    time.sleep(2)
    plugin.save_state(kept)
    os._exit(0)
threading.Thread(target=act, daemon=True).start()
plugin.open_editor()
"""

# A window manager makes these names, and JUCE takes for granted that there is one.
ATOMS = """
import ctypes, time
x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
x.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
x.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]
display = x.XOpenDisplay(None)
names = "_NET_SUPPORTED _NET_SUPPORTING_WM_CHECK _NET_WM_STATE _NET_WM_STATE_FULLSCREEN _NET_WM_STATE_HIDDEN _NET_WM_STATE_ABOVE"
names += " _NET_WM_STATE_MAXIMIZED_HORZ _NET_WM_STATE_MAXIMIZED_VERT _NET_WM_STATE_SKIP_TASKBAR _NET_WM_WINDOW_TYPE _NET_WM_WINDOW_TYPE_NORMAL"
names += " _NET_WM_WINDOW_TYPE_COMBO _NET_WM_NAME _NET_WM_PID _NET_WM_PING _NET_WM_ICON _NET_WM_USER_TIME _NET_WM_ALLOWED_ACTIONS"
names += " _NET_WM_ACTION_RESIZE _NET_WM_ACTION_FULLSCREEN _NET_WM_ACTION_MINIMIZE _NET_WM_ACTION_CLOSE _NET_ACTIVE_WINDOW _NET_FRAME_EXTENTS"
names += " _NET_WM_MOVERESIZE _NET_WORKAREA _NET_WM_WINDOW_OPACITY _MOTIF_WM_HINTS _KDE_NET_WM_WINDOW_TYPE_OVERRIDE WM_PROTOCOLS WM_DELETE_WINDOW"
names += " WM_TAKE_FOCUS WM_STATE WM_CHANGE_STATE WM_CLIENT_LEADER _XEMBED _XEMBED_INFO UTF8_STRING CLIPBOARD TARGETS XdndAware XdndEnter XdndLeave"
names += " XdndPosition XdndStatus XdndDrop XdndFinished XdndSelection XdndTypeList XdndActionList XdndActionDescription XdndActionCopy XdndActionPrivate"
for name in names.split():
    x.XInternAtom(display, name.encode(), 0)
x.XSync(display, 0)
"""


@pytest.fixture(scope="module")
def screen():
    """A screen that nobody sees; its number is chosen by Xvfb."""
    if shutil.which("Xvfb") is None or b"egui" not in next(pathlib.Path(BUNDLE).rglob("ictus.so")).read_bytes():
        pytest.skip("Xvfb is not installed, or the plugin was compiled without its window")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-noreset", "-screen", "0", "960x640x24"], pass_fds=[write], stderr=subprocess.DEVNULL
    )
    number = os.read(read, 16).decode().strip()
    environment = {**os.environ, "DISPLAY": f":{number}", "LIBGL_ALWAYS_SOFTWARE": "1"}
    subprocess.run([sys.executable, "-c", ATOMS], env=environment, check=True)
    yield environment
    server.terminate()
    server.wait()


def wrong_in(pixels):
    """How much is written in the colour of what is wrong."""
    red, green, blue = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    return ((red > 220) & (abs(green - 130) < 20) & (abs(blue - 110) < 20)).sum()


@pytest.mark.parametrize("name", ["vibraphone", "gong", "broken"])
def test_the_window_shows_what_plays(screen, tmp_path, name):
    text = scene_text("vibraphone").replace('kind = "bar"', 'kind = "baar"') if name == "broken" else scene_text(name)
    preset = tmp_path / "scene.vstpreset"
    preset.write_bytes(preset_of(state_of(name, text)))
    PICTURES.mkdir(parents=True, exist_ok=True)
    picture = PICTURES / f"{name}.png"
    done = subprocess.run([sys.executable, "-c", HOST, BUNDLE, preset, picture], env=screen, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    pixels = numpy.asarray(Image.open(picture).convert("RGB")).astype(int)
    red, green, blue = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    # What moves is drawn in light blue; contacts are yellow, and small.
    moving = ((blue > 180) & (blue > red + 40)).sum()
    flashes = ((red > green + 25) & (green > blue + 40) & (red > 100)).sum()
    assert (wrong_in(pixels) > 500) == (name == "broken")
    assert name == "broken" or moving > 300, moving
    assert flashes < 2000, flashes


def kept_in(plugin, path):
    """What a project keeps: the scene, and the text that is being written."""
    plugin.raw_state = path.read_bytes()
    data = plugin.preset_data
    fields = json.loads(data[data.index(b'{"') : data.rindex(b"List")])["fields"]
    return json.loads(fields["scene"]), json.loads(fields["draft"])


def test_what_is_typed_is_not_lost_and_a_wrong_path_changes_nothing(screen, loaded, tmp_path):
    preset, kept, picture = tmp_path / "scene.vstpreset", tmp_path / "kept", PICTURES / "typed.png"
    preset.write_bytes(preset_of(state_of("vibraphone", scene_text("vibraphone"))))
    PICTURES.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([sys.executable, "-c", TYPING, BUNDLE, preset, picture, kept], env=screen, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    assert kept_in(loaded(), tmp_path / "kept.before")[0]["name"] == "vibraphone"
    assert wrong_in(numpy.asarray(Image.open(picture).convert("RGB")).astype(int)) > 100
    scene, draft = kept_in(loaded(), kept)
    assert scene["name"] != "vibraphone" and "abc" in draft and draft.replace("abc", "") == scene_text("vibraphone")
