"""Serves registers with somebody else's Modbus. Argument: JSON with `kind` (tcp, rtu, serial, pymodbustcp), `units`,
{unit: {table: {address: [words]}}} with table 3 (holding) or 4 (input), maybe `mirrors`, [[holding, input]] for words that a device
shows at a second place, and maybe `host` and `port`. Prints `ready PORT` or `ready PATH`."""

import asyncio
import json
import os
import pty
import sys
import threading
import tty

from pymodbus.framer import FramerType
from pymodbus.server import ModbusSerialServer, ModbusTcpServer
from pymodbus.simulator import DataType, SimData, SimDevice

spec = json.loads(sys.argv[1])


def table(blocks):
    return [
        SimData(int(address), values=words, datatype=DataType.REGISTERS)
        for address, words in sorted(blocks.items(), key=lambda item: int(item[0]))
    ] or [SimData(0, values=[0], datatype=DataType.REGISTERS)]


def mirroring():
    """What a device shows at a second place follows what is written to the first."""
    mirrors = {holding: shown for holding, shown in spec.get("mirrors", [])}
    seen = {}

    async def act(function, start, address, count, registers, written):
        if function in (6, 16) and written is not None:
            for i, word in enumerate(written):
                if address + i in mirrors:
                    seen[mirrors[address + i]] = word
        if function == 4:
            for shown, word in seen.items():
                if 0 <= shown - start < len(registers):
                    registers[shown - start] = word

    return act


def devices():
    bits = [SimData(0, values=[False], datatype=DataType.BITS)]
    return [
        SimDevice(
            int(unit),
            simdata=(bits, bits, table(tables.get("3", {})), table(tables.get("4", {}))),
            action=mirroring() if spec.get("mirrors") else None,
        )
        for unit, tables in spec["units"].items()
    ]


def pty_pair():
    """Two terminals: what is written to one is read from the other."""
    ends = [pty.openpty() for _ in range(2)]
    for master, slave in ends:
        tty.setraw(master)
        tty.setraw(slave)

    def pump(source, target):
        while True:
            os.write(target, os.read(source, 4096))

    for (source, _), (target, _) in (ends, ends[::-1]):
        threading.Thread(target=pump, args=(source, target), daemon=True).start()
    return [os.ttyname(slave) for _, slave in ends]


async def serve():
    if spec["kind"] == "serial":
        ours, theirs = pty_pair()
        server = ModbusSerialServer(devices(), framer=FramerType.RTU, port=ours, baudrate=9600)
        await server.serve_forever(background=True)
        print("ready", theirs, flush=True)
    else:
        framer = FramerType.RTU if spec["kind"] == "rtu" else FramerType.SOCKET
        server = ModbusTcpServer(devices(), framer=framer, address=(spec.get("host", "127.0.0.1"), spec.get("port", 0)))
        await server.serve_forever(background=True)
        print("ready", server.transport.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()


def serve_other():
    from pyModbusTCP.server import DataBank, ModbusServer

    bank = DataBank()
    for tables in spec.get("units", {}).values():
        for address, words in tables.get("3", {}).items():
            bank.set_holding_registers(int(address), words)
        for address, words in tables.get("4", {}).items():
            bank.set_input_registers(int(address), words)
    server = ModbusServer(host="127.0.0.1", port=spec["port"], no_block=True, data_bank=bank)
    server.start()
    print("ready", spec["port"], flush=True)
    threading.Event().wait()


# The tests end it by closing its standard input.
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
serve_other() if spec["kind"] == "pymodbustcp" else asyncio.run(serve())
