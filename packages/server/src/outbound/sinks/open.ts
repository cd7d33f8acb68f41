import { openHttpSink } from './http.ts';
import { openMqttSink } from './mqtt.ts';
import { openRocketMqSink } from './rocketmq/sink.ts';
import type { OpenSink } from './sink.ts';

/** Prepares the sink of a destination, over whichever transport. */
export const openSink: OpenSink = (destination, deps) => {
  switch (destination.transport) {
    case 'http':
      return openHttpSink(destination, deps);
    case 'mqtt':
      return openMqttSink(destination, deps);
    case 'rocketmq':
      return openRocketMqSink(destination, deps);
  }
};
