import { expect, test } from 'vitest';
import { parseTopicTemplate } from '../../../packages/server/src/outbound/sinks/topic-template.ts';

const event = { plantId: '12', deviceSn: 'SN-1', kind: 'device.state' };

test('a template names the plant, the device and the kind, in any order and as often as one likes', () => {
  expect(parseTopicTemplate('a/{kind}/{plantId}-{deviceSn}/{kind}')(event)).toBe(
    'a/device.state/12-SN-1/device.state',
  );
  expect(parseTopicTemplate('fixed')(event)).toBe('fixed');
});

test('events of a whole plant have a dash for their device, which no device can have', () => {
  const topic = parseTopicTemplate('{plantId}/{deviceSn}');
  expect(topic({ ...event, deviceSn: null })).toBe('12/-');
  expect(topic({ ...event, deviceSn: '-' })).toBe('12/%2D');
});

test('no two serial numbers share a topic', () => {
  const topic = parseTopicTemplate('{deviceSn}');
  const serials = ['a/b', 'a%2Fb', 'a+b', 'a%2Bb', 'a#b', '+', '#', '%', '%25', '-', '%2D', '$SYS'];
  const topics = serials.map((deviceSn) => topic({ ...event, deviceSn }));
  expect(new Set(topics).size).toBe(serials.length);
  expect(topics.join('')).not.toMatch(/[+#/]/);
});

test('no serial number makes a topic of the broker’s own, with wildcards or further levels', () => {
  const hostile = ['$SYS', '$share/g/x', '$', '#', '+/+', '../..', '/', '%24SYS', '$SYS/broker/#'];
  const topics = ['{deviceSn}', '{deviceSn}/{kind}', '{kind}/{deviceSn}'].map(parseTopicTemplate);
  for (const topic of topics) {
    const made = hostile.map((deviceSn) => topic({ ...event, deviceSn }));
    expect(new Set(made).size).toBe(hostile.length);
    for (const one of made) {
      expect(one).not.toMatch(/^\$|[+#\0]/);
      expect(one.split('/').length).toBeLessThanOrEqual(2);
    }
  }
  // As long as a template and a serial number may be; a topic may have 65,535 bytes.
  const longest = parseTopicTemplate('{deviceSn}'.repeat(50))({
    ...event,
    deviceSn: '#'.repeat(64),
  });
  expect(Buffer.byteLength(longest)).toBeLessThan(65_536);
});

test.each([
  ['', 'from 1 to 500 characters'],
  ['x'.repeat(501), 'from 1 to 500 characters'],
  ['solar/+/{kind}', 'no wildcards (+ and #)'],
  ['solar/#', 'no wildcards (+ and #)'],
  ['$SYS/{kind}', 'no $ at the beginning'],
  ['/solar', 'no empty level'],
  ['solar/', 'no empty level'],
  ['a//b', 'no empty level'],
  ['a\u0000b', 'no control characters'],
  ['a\ud800b', 'no control characters'],
  ['solar/{plant}', 'no part but {plantId}, {deviceSn}, {kind}: not {plant}'],
  ['solar/{}', 'not {}'],
  ['solar/{toString}', 'not {toString}'],
  ['solar/{plantId', 'braces around {plantId}, {deviceSn}, {kind} alone'],
  ['solar/plantId}', 'braces around {plantId}, {deviceSn}, {kind} alone'],
  ['solar/{{kind}}', 'braces around {plantId}, {deviceSn}, {kind} alone'],
])('refuses %j', (template, expected) => {
  expect(() => parseTopicTemplate(template)).toThrow(expected);
});
