import { invalidValue } from '../../platform/kernel/failure.ts';
import type { OutgoingEvent } from './sink.ts';

type TopicSubject = Pick<OutgoingEvent, 'plantId' | 'deviceSn' | 'kind'>;

const parts: Readonly<Record<string, (event: TopicSubject) => string>> = {
  plantId: ({ plantId }) => plantId,
  // An event of a whole plant; a device of that name would read %2D.
  deviceSn: ({ deviceSn }) =>
    deviceSn === null ? '-' : deviceSn === '-' ? '%2D' : escapeLevel(deviceSn),
  kind: ({ kind }) => kind,
};

const LENGTH_AT_MOST = 500;

const fault = (expected: string): Error => invalidValue('topic', expected);

/**
 * Reads a template such as `solar/{plantId}/{deviceSn}/{kind}`. Throws invalidValue.
 * @returns the topic of an event
 */
export function parseTopicTemplate(template: string): (event: TopicSubject) => string {
  if (template.length === 0 || template.length > LENGTH_AT_MOST)
    throw fault(`from 1 to ${LENGTH_AT_MOST} characters`);
  if (/[+#]/.test(template)) throw fault('no wildcards (+ and #)');
  if (/[\p{Cc}\p{Cs}\p{Cn}]/u.test(template)) throw fault('no control characters');
  // Reserved for the broker's own messages. MQTT 5.0 4.7.2
  if (template.startsWith('$')) throw fault('no $ at the beginning');
  if (/(^|\/)(\/|$)/.test(template))
    throw fault('no empty level: no slash at the beginning or the end, and none beside another');
  const texts = template.split(/\{([^{}]*)\}/);
  const names = texts.filter((_, i) => i % 2 === 1);
  const unknown = names.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) throw fault(`no part but ${known}: not {${unknown}}`);
  if (texts.some((text, i) => i % 2 === 0 && /[{}]/.test(text)))
    throw fault(`braces around ${known} alone`);
  return (event) => {
    let topic = texts[0]!;
    for (let i = 1; i < texts.length; i += 2) topic += parts[texts[i]!]!(event) + texts[i + 1]!;
    // A template never begins with it, but a serial number may.
    return topic.startsWith('$') ? `%24${topic.slice(1)}` : topic;
  };
}

const known = Object.keys(parts)
  .map((name) => `{${name}}`)
  .join(', ');

/** Serial numbers may hold what separates levels or matches several of them. */
const escapeLevel = (text: string): string =>
  SPECIAL.test(text)
    ? text.replaceAll(/[%/+#]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    : text;
const SPECIAL = /[%/+#]/;
