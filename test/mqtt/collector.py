"""A collector for Helioport, written from docs/collector-protocol.md alone.

It reports one reading, a backlog of two and a duplicate, then does what it is asked until it has reported the results of
as many instructions as it was asked for. Prints one JSON object per line: what it was asked, and every acknowledgement.
"""

import json
import sys
import threading

import paho.mqtt.client as mqtt

host, port, version, collector_id, token_id, token, serial_number, at, instructions = sys.argv[1:]
BASE = f"helioport/v1/{collector_id}/"

registers = {"157": "30"}
acknowledged = {}
arrived = threading.Condition()
carried_out = 0


def say(**facts):
    print(json.dumps(facts), flush=True)


def on_connect(client, userdata, flags, reason_code, properties):
    say(connected=str(reason_code))
    # The server keeps no session, so this is done after every connection.
    client.subscribe([(BASE + "ack", 1), (BASE + "command", 1)])


def on_subscribe(client, userdata, mid, reason_codes, properties):
    say(subscribed=[code.value for code in reason_codes])
    threading.Thread(target=report, args=(client,)).start()


def on_message(client, userdata, message):
    global carried_out
    content = json.loads(message.payload)
    if message.topic == BASE + "ack":
        say(ack=content)
        with arrived:
            acknowledged[content["id"]] = content
            arrived.notify_all()
        return
    results = [carry_out(instruction) for instruction in content["commands"]]
    message_id = f"results-{results[0]['id']}"
    client.publish(BASE + "result", json.dumps({"id": message_id, "results": results}), qos=1)
    carried_out += len(results)


def carry_out(instruction):
    say(instruction=instruction)
    if instruction["action"] == "read":
        return {"id": instruction["id"], "ok": True, "value": registers[instruction["parameter"]]}
    registers[instruction["parameter"]] = instruction["value"]
    return {"id": instruction["id"], "ok": True}


def acknowledgement(client, topic, message):
    """Publishes a message and waits for its acknowledgement."""
    client.publish(BASE + topic, json.dumps(message), qos=1)
    with arrived:
        if not arrived.wait_for(lambda: message["id"] in acknowledged, timeout=20):
            raise SystemExit(f"no acknowledgement of {message['id']}")
    return acknowledged[message["id"]]


def reading(minutes_ago):
    return {"sn": serial_number, "at": int(at) - minutes_ago * 60_000, "values": {"acPowerW": 1234.5, "energyTotalKwh": 812.25 - minutes_ago}}


def report(client):
    acknowledgement(client, "report", {"id": "live", "readings": [reading(0)]})
    acknowledgement(client, "backlog", {"id": "kept", "readings": [reading(10), reading(5)]})
    acknowledgement(client, "report", {"id": "again", "readings": [reading(0)]})
    say(reported=True)
    with arrived:
        done = lambda: sum(1 for known in acknowledged if known.startswith("results-")) >= int(instructions)
        if not arrived.wait_for(done, timeout=20):
            raise SystemExit("not asked enough")
    client.disconnect()


client = mqtt.Client(
    mqtt.CallbackAPIVersion.VERSION2,
    client_id=collector_id,
    protocol=mqtt.MQTTv5 if version == "5" else mqtt.MQTTv311,
)
client.username_pw_set(token_id, token)
client.will_set(BASE + "report", json.dumps({"offline": True}), qos=1)
client.on_connect = on_connect
client.on_subscribe = on_subscribe
client.on_message = on_message
client.connect(host, int(port), keepalive=60)
client.loop_forever()
