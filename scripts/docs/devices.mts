import type { Parameter, Profile } from '../../packages/devices/src/profiles/profile.ts';
import { findProfile, registerProfiles } from '../../packages/devices/src/profiles/profiles.ts';
import {
  readSourceMap,
  SOURCES,
  type SourceMap,
  type SourceValue,
} from '../../packages/devices/src/sources/source-map.ts';
import type { Evidence, RegisterValue } from '../../packages/devices/src/registers/register-map.ts';

/** The public tables, by the names in the profiles. */
const TABLES: Readonly<Record<string, string>> = {
  pho: 'Pho3niX90/solis_modbus',
  wil: 'wills106/homeassistant-solax-modbus',
  has: 'davidrapan/ha-solarman',
  fbo: 'fboundy/ha_solis_modbus',
  hn: 'hn/ginlong-solis',
  inc: 'incub77/solis2mqtt',
  kel: 'kellerza/sunsynk',
  kbi: 'kbialek/deye-inverter-mqtt',
  cloud: 'a recording of what the maker’s cloud writes',
  dsm: 'ndokter/dsmr_parser',
  nba: 'nielsbasjes/dsmr-tools',
  sll: 'spacemanspiff2007/SmlLib',
  tas: 'tasmota/docs',
  evc: 'evcc-io/evcc',
  pyf: 'nielstron/pyfronius',
  vmb: 'victronenergy/dbus_modbustcp, by the maker',
  fla: 'victronenergy/dbus-flashmq, by the maker',
  dmc: 'victronenergy/dbus-modbus-client, by the maker',
  ohf: 'openhab/openhab-addons, fronius',
  oho: 'openhab/openhab-addons, omnikinverter',
  hei: 'heinoldenhuis/home_assistant_omnik_solar',
  sim: 'simon3270/ginlong-python',
  gra: 'graham0/ginlong-wifi',
  deye: 'the lists of error codes in manuals by Deye',
  sof: 'the list of faults in the Modbus protocol of G3 devices, by the maker',
  she: 'shelly-api-docs.shelly.cloud, by the maker',
};

/** docs/devices.md, generated from the profiles with registers. */
export function devicesPage(): string {
  const profiles = registerProfiles();
  return `# Devices that Helioport reads

Generated from the profiles in \`packages/devices/src/families/\` and the sources in \`packages/devices/src/sources/\`. These devices need no software of their own: a collector on site asks them by Modbus,
over a network, a serial line, or a data logger stick; or it reads [what they say by themselves](#meters-and-other-sources). It finds out by itself what a device is, and gives up rather than guess. Devices that speak the
[collector protocol](collector-protocol.md) themselves are not listed here; their parameters are in [parameters.md](parameters.md).

**Nothing here was confirmed by a maker.** Each register and each field was compared with the public tables below. A value that at least two tables have in the same way is
reported. A value that one table has, or about which tables disagree, is *unconfirmed*: a probe shows it, but it is neither reported nor written until
the owner of the device confirms it in the collector's file. Two remarks on what counts as agreement: a table that reads the words of a clock or a time
as one value agrees with those that list them one by one; and whether a number has a sign is no disagreement if no value within its bounds reads
differently. The bits of faults that a device has become alarms, under the device's own codes; bits without a name here are reported as well. “Named by” says which tables name bits of a word; not every one of them names all of these. Settings that protect the grid are never written, whatever a file says.

| short | table |
|---|---|
${Object.entries(TABLES)
  .map(([short, name]) => `| ${short} | ${name} |`)
  .join('\n')}

## In short

| device | recognized by | values reported | unconfirmed | parameters written | unconfirmed |
|---|---|---|---|---|---|
${profiles.map(summary).join('\n')}
| [SunSpec inverter or meter](#sunspec) | its list of models | those of its models | sign of a meter, unless by Fronius or SolarEdge | ${namesOf('sunspec-storage')} | none |

${profiles.map(section).join('\n\n')}

## SunSpec

Fronius, SMA, SolarEdge, Kostal and others, once the owner has switched Modbus on. A device lists its own models, at register 40000, 0 or 50000. Models
1, 101 to 103, 111 to 113, 120 to 124, 160, 201 to 204, 211 to 214, 701, 702, 704, 713 and 714 are read, each with its scale factors in the same request; those of grid
protection (703, 705 to 712) are not. Ports of model 714 with modules are strings, numbered apart from other ports;
with a battery, its total is unconfirmed. A counter that shows 0 shows nothing. Of an inverter with a battery, the energy of the AC side is unconfirmed, because
it includes the battery; for Fronius, model 160 gives the energy of the modules instead. Meters count power to the grid as positive on SolarEdge devices
only; on those of other makers than Fronius, the sign is unconfirmed. The powers of the phases have the same sign.

| id | parameter | model | values |
|---|---|---|---|
${[...findProfile('sunspec-storage')!.parameters.values()]
  .map((one) => `| ${one.id} | ${one.name} | ${SUNSPEC_MODELS[one.id]} | ${valuesOf(one)} |`)
  .join('\n')}

## Meters and other sources

These devices have no registers: they write telegrams, or answer with the names of what they measure. They are only read. The value is the sum of the fields,
those with a minus taken off, times the factor. Of several rows for a quantity, the first whose fields are there counts.

${SOURCES.map((name) => sourceSection(readSourceMap(name))).join('\n\n')}
`;
}

const sourceSection = ({ name, description, parts }: SourceMap): string =>
  `### ${name}

${description}

${Object.entries(parts)
  .map(
    ([part, { kind, values }]) =>
      `${Object.keys(parts).length > 1 ? `**${part}**, reported as ${kind === 'ammeter' ? 'a meter' : 'an inverter'}:\n\n` : ''}| value | fields | factor | tables | doubt |
|---|---|---|---|---|
${values.map(sourceRow).join('\n')}`,
  )
  .join('\n\n')}`;

function sourceRow({ id, plus, minus, optional, scale, evidence }: SourceValue): string {
  const fields = [
    ...plus,
    ...optional.map((field) => `(${field})`),
    ...minus.map((field) => `- ${field}`),
  ];
  return `| ${id} | ${fields.join(' ')} | ${scale} | ${evidence.sources.join(', ')} | ${stateOf(evidence)} |`;
}

const SUNSPEC_MODELS: Readonly<Record<string, string>> = {
  157: '124',
  376: '123, or else 704',
  90101: '124',
  90102: '124',
  90103: '124',
};

const namesOf = (id: string): string => String(findProfile(id)!.parameters.size);

const anchor = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

const reported = ({ registers }: Profile): RegisterValue[] =>
  registers!.blocks.flatMap(({ values }) => values).filter(({ quantity }) => quantity !== null);

function summary(profile: Profile): string {
  const values = reported(profile);
  const places = [...profile.registers!.places.values()];
  const sure = (list: readonly { readonly evidence: Evidence }[]): number =>
    list.filter(({ evidence }) => evidence.isConfirmed).length;
  const checks = profile.registers!.identification.checks.map(({ name }) => name).join(', ');
  return `| [${profile.name}](#${anchor(profile.name)}) | ${checks} | ${sure(values)} | ${values.length - sure(values)} | ${sure(places)} | ${places.length - sure(places)} |`;
}

function section(profile: Profile): string {
  const { name, description, registers, parameters } = profile;
  const values = reported(profile);
  const places = [...parameters.values()];
  return `## ${name}

${description}

| value | register | unit | tables | doubt |
|---|---|---|---|---|
${values.map(valueRow).join('\n')}${
    places.length === 0
      ? ''
      : `

| id | parameter | values | register | tables | doubt |
|---|---|---|---|---|---|
${places.map((one) => parameterRow(one, registers!.places.get(one.id)!)).join('\n')}`
  }${alarmsOf(profile)}`;
}

/** The words whose bits are alarms, with those that have a name of their own. */
function alarmsOf({ registers }: Profile): string {
  const words = registers!.blocks
    .flatMap(({ values }) => values)
    .filter(({ alarms }) => alarms !== null);
  const rows = words.map(({ words: [address], alarms, namedBy, evidence }) => {
    const named = [...alarms!.values()]
      .filter(({ name }) => !name.startsWith('fault '))
      .map(({ code, name }) => `${code} ${name}`);
    const codes = [...alarms!.values()].map(({ code }) => code).toSorted();
    return `| ${address} | ${named.join('; ') || `${codes[0]} to ${codes.at(-1)}`} | ${namedBy.join(', ')} | ${evidence.sources.join(', ')} | ${stateOf(evidence)} |`;
  });
  return rows.length === 0
    ? ''
    : `

| register | alarms | named by | tables of the register | doubt |
|---|---|---|---|---|
${rows.join('\n')}`;
}

const stateOf = ({ sources, doubt, isConfirmed }: Evidence): string =>
  isConfirmed
    ? doubt === null
      ? ''
      : `none within the bounds (${doubt})`
    : `**unconfirmed**: ${doubt ?? (sources.length === 0 ? 'no table' : 'one table')}`;

function valueRow({ id, words, unit, sureUpToW, evidence }: RegisterValue): string {
  const limit = sureUpToW === null ? '' : ` Above ${sureUpToW} W of rated power: unconfirmed.`;
  return `| ${id} | ${words.join(', ')} | ${unit} | ${evidence.sources.join(', ')} | ${stateOf(evidence)}${limit} |`;
}

function parameterRow(
  parameter: Parameter,
  { encoding, evidence }: { readonly encoding: object; readonly evidence: Evidence },
): string {
  const at =
    'address' in encoding
      ? `${String(encoding.address)}${'bit' in encoding ? `, bit ${String(encoding.bit)}` : ''}`
      : 'several';
  return `| ${parameter.id} | ${parameter.name} | ${valuesOf(parameter)} | ${at} | ${evidence.sources.join(', ')} | ${stateOf(evidence)} |`;
}

function valuesOf({ form }: Parameter): string {
  switch (form.type) {
    case 'number':
      return `${form.min} to ${form.max} ${form.unit}${form.scale === 1 ? '' : `, written times ${form.scale}`}`;
    case 'choice':
      return form.settable.map((value) => `${value} ${form.options[value]}`).join(', ');
    case 'bits':
      return [...form.bits].map(([bit, name]) => `${2 ** bit} ${name}`).join(', ');
    default:
      return form.type;
  }
}
