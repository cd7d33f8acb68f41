"""A collector for Helioport over plain HTTP, written from docs/collector-protocol.md alone, with nothing but Python.

It reports one reading, then obeys until it has reported the results of as many instructions as it was
asked for. Prints one JSON object per line: every answer, and every instruction.
"""

import json
import sys
import urllib.request

gateway, token, serial_number, at, instructions = sys.argv[1:]
registers = {"157": "30"}


def call(path, body=None):
    request = urllib.request.Request(
        gateway + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=90) as response:
        return json.load(response)


def say(**facts):
    print(json.dumps(facts), flush=True)


def carry_out(instruction):
    say(instruction=instruction)
    if instruction["action"] == "read":
        return {"id": instruction["id"], "ok": True, "value": registers[instruction["parameter"]]}
    registers[instruction["parameter"]] = instruction["value"]
    return {"id": instruction["id"], "ok": True}


reading = {"sn": serial_number, "at": int(at), "values": {"acPowerW": 1234.5}}
kept = {"sn": serial_number, "at": int(at) - 60_000, "values": {"acPowerW": 1200.5}}
say(answer=call("/v1/readings", {"id": "live", "readings": [reading]}))
say(answer=call("/v1/readings?backlog=true", {"id": "kept", "readings": [kept]}))
say(reported=True)
left = int(instructions)
while left > 0:
    commands = call("/v1/commands?wait=30")["commands"]
    results = [carry_out(instruction) for instruction in commands]
    if results:
        say(answer=call("/v1/results", {"results": results}))
    left -= len(results)
