import { dirname, resolve } from 'node:path';
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import { ConfigFault } from './config-fault.ts';
import {
  deviceFields,
  duplicateFaults,
  listenFields,
  siteFields,
  sourceFaults,
  type Field,
} from './fields.ts';
import type { DeviceEntry, SiteConfig } from './site-config.ts';

/** Reads the text of collect.yaml; paths in it are relative to the file. Throws ConfigFault with all faults. */
export function readConfig(text: string, file: string): SiteConfig {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const faults: string[] = [];
  const lineOf = (offset: number | undefined): number => counter.linePos(offset ?? 0).line;
  const blame = (line: number, message: string): void =>
    void faults.push(`${file}, line ${line}: ${message}`);
  for (const { pos, message } of document.errors) blame(lineOf(pos[0]), message.split('\n')[0]!);
  if (faults.length > 0) throw new ConfigFault(faults);
  const root = document.contents;
  if (!isMap(root))
    throw new ConfigFault([`${file}: expected fields such as gateway, token-file and devices`]);

  /** The values of a map's fields; a wrong one is blamed and left out. */
  function fieldsOf(map: YAMLMap, fields: Readonly<Record<string, Field>>, line: number) {
    const values: Record<string, unknown> = {};
    const known = Object.keys(fields).join(', ');
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? String(key.value) : '';
      const at = lineOf((isScalar(key) ? key.range : undefined)?.[0]);
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (!field) {
        blame(at, `there is no field ${JSON.stringify(name)} here; known: ${known}`);
        continue;
      }
      if (field === 'nested') {
        values[name] = value;
        continue;
      }
      const plain = isScalar(value) ? value.value : isSeq(value) ? value.toJSON() : undefined;
      const read = field.read(plain);
      if ('fault' in read) blame(at, `${name} ${read.fault}`);
      else values[name] = read.value;
    }
    for (const [name, field] of Object.entries(fields))
      if (field !== 'nested' && field.isRequired && !map.has(name))
        blame(line, `${name} is missing`);
    return values;
  }

  const from = (path: unknown, usual: string): string =>
    resolve(dirname(file), typeof path === 'string' ? path : usual);
  const site = fieldsOf(root, siteFields, 1);
  const devices: DeviceEntry[] = [];
  const list = site['devices'];
  if (list !== undefined && !(isScalar(list) && list.value === null)) {
    if (!isSeq(list))
      blame(lineOf(root.range?.[0]), 'devices is a list: one "- address: ..." each');
    else
      for (const item of list.items) {
        const line = lineOf(isMap(item) ? item.range?.[0] : isScalar(item) ? item.range?.[0] : 0);
        if (!isMap(item)) {
          blame(line, 'a device has fields: write "- address: ..."');
          continue;
        }
        const fields = fieldsOf(item, deviceFields, line);
        const {
          'poll-every': pollMs,
          'password-file': passwordFile,
          'password-readable': isPasswordReadable,
          ...values
        } = fields;
        const usual = { control: false, share: false, confirmed: new Set<string>(), line };
        if (values['address'] !== undefined)
          devices.push({
            ...usual,
            ...values,
            ...(isPasswordReadable === true && { isPasswordReadable }),
            ...(pollMs !== undefined && { pollMs }),
            ...(passwordFile !== undefined && { passwordFile: from(passwordFile, '') }),
          } as unknown as DeviceEntry);
      }
  }
  for (const { line, message } of [...duplicateFaults(devices), ...sourceFaults(devices)])
    blame(line, message);
  const listenMap = site['listen'];
  let listen: Record<string, unknown> = {};
  if (listenMap !== undefined) {
    if (isMap(listenMap)) listen = fieldsOf(listenMap, listenFields, lineOf(listenMap.range?.[0]));
    else blame(1, 'listen has fields, such as solarman: 0.0.0.0:10000');
  }
  if (faults.length > 0) throw new ConfigFault(faults);
  if (devices.length === 0 && listen['solarman'] === undefined)
    throw new ConfigFault([`${file}: no devices: name at least one, or run discover to find them`]);
  const gateway = site['gateway'] as string;
  if (
    /^mqtts?:/.test(gateway) &&
    (site['collector-id'] === undefined || site['token-id'] === undefined)
  )
    throw new ConfigFault([
      `${file}: MQTT needs collector-id and token-id; helioport collector add --json prints both`,
    ]);
  return {
    gateway,
    tokenFile: from(site['token-file'], 'token'),
    ...(site['collector-id'] !== undefined && { collectorId: site['collector-id'] as string }),
    ...(site['token-id'] !== undefined && { tokenId: site['token-id'] as string }),
    reportMs: (site['report-every'] as number | undefined) ?? 60_000,
    dataFolder: from(site['data'], 'collect-data'),
    devices,
    listen: { sticks: [], ...listen },
  };
}
