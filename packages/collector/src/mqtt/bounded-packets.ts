import type { MqttClient } from 'mqtt';

/** Ends the connection when a packet has more bytes, since the library would collect it without end. */
export function boundPackets(client: MqttClient, bytesAtMost: number): void {
  let bytes = 0;
  client.on('packetreceive', () => (bytes = 0));
  client.stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesAtMost)
      client.stream.destroy(new Error('it sends a packet that is too large'));
  });
}
