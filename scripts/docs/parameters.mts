import type {
  Parameter,
  Profile,
  SupplyCut,
  ValueForm,
} from '../../packages/devices/src/profiles/profile.ts';
import { allProfiles } from '../../packages/devices/src/profiles/profiles.ts';

/** How values of each form are written, and when a device has taken one. */
const forms: Readonly<Record<ValueForm['type'], readonly [written: string, taken: string]>> = {
  number: ['a plain decimal number: no exponent, no leading zeros, no unit', 'the number is equal'],
  choice: ['one of the listed numbers', 'the number is equal'],
  bits: [
    'the sum of the bits that are on, in decimal',
    'all bits are equal, since firmware may clear individual bits',
  ],
  clock: [
    '`yyyy-MM-dd HH:mm:ss`, from 2000 to 2099, in the device’s local time',
    'the clock has advanced, but by no more than a command may take',
  ],
  slot: [
    '`HH:mm-HH:mm` or `HH:mm,HH:mm`, from 00:00 to 23:59',
    'beginning and end are equal; devices show the form with a hyphen',
  ],
  slots: [
    'three times charge current, discharge current, charge slot and discharge slot, separated by commas: 12 fields, or 18 if beginning and end of a slot are separate fields',
    'currents and times are equal, in either spelling; the currents of a slot that never begins do not matter',
  ],
  times: [
    'times of the day, `HH:mm`, separated by commas, each later than the one before',
    'all of them are equal',
  ],
  text: ['not written', 'the text is equal'],
};

/** docs/parameters.md, generated from the profiles of devices. */
export function parametersPage(): string {
  return `# Parameters of devices

Generated from the profiles in \`packages/devices/src/families/\`, one file per model family ([decision](adr/0023-device-profiles-are-files.md)). A
parameter is a setting of a device, named by its id (\`cid\` in requests). A parameter that is not listed for a model is never written to devices of that model.

A value is refused in any of these cases:

- The model does not have the parameter, or the parameter is read-only.
- The parameter depends on the version of the display’s firmware, and the device has a different or an unknown version.
- The value does not have the parameter’s form, is out of range, or does not match its step.
- The parameter needs the old value (\`yuanzhi\`), and the request does not have it. The old value is not compared with the actual one.

Each write wears out the memory cell that holds a setting. So each cell has a budget of writes per day, which parameters with the same *cell* share.
**Budgets, cells and the remarks about what can cut the supply are our own choices.** So are the properties listed after *ours*, which public documents
of the interface leave open.

## Forms of values

| form | written as | a write has succeeded if, when read back, |
|---|---|---|
${Object.entries(forms)
  .map(([form, [written, taken]]) => `| ${form} | ${written} | ${taken} |`)
  .join('\n')}

A clock is always written. Any other value is written only if the device does not have it already.

${allProfiles()
  .filter(({ registers }) => registers === null)
  .map(section)
  .join('\n\n')}
`;
}

function section({ name, description, models, bases, parameters }: Profile): string {
  const inherited = allProfiles().filter(({ id }) => bases.includes(id));
  // A parameter that a profile only takes over is the same object.
  const own = [...parameters.values()].filter(
    ({ id }) => !inherited.some((base) => base.parameters.get(id) === parameters.get(id)),
  );
  const isReadOnly = own.every(({ access }) => access === 'read');
  const names = inherited.map((base) => `*${base.name}*`).join(' and ');
  const heads = [
    `## ${name[0]!.toUpperCase()}${name.slice(1)}`,
    description,
    ...(models.length === 0
      ? []
      : [
          `Models: ${models.map((model) => `\`${model}\``).join(', ')}${models.join('').includes('#') ? '; `#` stands for digits' : ''}.`,
        ]),
    ...(inherited.length === 0
      ? []
      : [
          isReadOnly
            ? `All parameters of ${names}, read-only.`
            : `The parameters of ${names}, except:`,
        ]),
  ];
  if (isReadOnly) return heads.join('\n\n');
  return `${heads.join('\n\n')}

| id | parameter | form | values | writes per day | notes |
|---|---|---|---|---|---|
${own.map(row).join('\n')}`;
}

function row(parameter: Parameter): string {
  const { id, name, form, access, writesPerDay } = parameter;
  const cells = [
    id,
    name,
    form.type,
    values(form),
    access === 'read' ? 'read-only' : String(writesPerDay),
    notes(parameter).join('; '),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function values(form: ValueForm): string {
  switch (form.type) {
    case 'number': {
      const steps = form.step === 1 ? '' : ` in steps of ${form.step}`;
      const scale = form.scale === 1 ? '' : `; written times ${form.scale}`;
      return `${form.min} to ${form.max} ${form.unit}${steps}${scale}`;
    }
    case 'choice':
      return Object.entries(form.options)
        .map(
          ([value, option]) =>
            `${value} ${option}${form.settable.includes(value) ? '' : ' (read-only)'}`,
        )
        .join(', ');
    case 'bits':
      return [...form.bits].map(([bit, meaning]) => `${2 ** bit} ${meaning}`).join(', ');
    case 'clock':
      return `may advance ${form.advancesSeconds} s`;
    case 'slots':
      return `currents 0 to ${form.maxCurrentA} A in steps of 0.1`;
    case 'times':
      return `${form.count} ascending times, in steps of ${form.stepMinutes} minutes`;
    case 'slot':
    case 'text':
      return '';
  }
}

function notes({
  id,
  form,
  register,
  oldValueRequired,
  cell,
  supplyCut,
  effectiveWith,
  displayVersions,
  own,
  note,
}: Parameter): string[] {
  const { from = null, before = null } = displayVersions ?? {};
  return [
    ...(oldValueRequired ? ['needs the old value'] : []),
    ...(supplyCut === null ? [] : [`can cut the supply${boundsOf(supplyCut, form)}`]),
    ...(effectiveWith === null
      ? []
      : [`has an effect only with ${2 ** effectiveWith.bit} of ${effectiveWith.parameter}`]),
    ...(form.type === 'bits' && form.exclusive.length > 0
      ? [`at most one of ${form.exclusive.map((bit) => 2 ** bit).join(', ')}`]
      : []),
    ...(from === null ? [] : [`display firmware ${from.toString(16)} or newer`]),
    ...(before === null ? [] : [`display firmware before ${before.toString(16)}`]),
    ...(cell === id ? [] : [`cell: ${cell}`]),
    ...(register === null
      ? []
      : [
          `register ${register.address}, read by function ${register.readFunction}, written by ${register.writeFunction}`,
        ]),
    ...(own.length === 0 ? [] : [`ours: ${own.join(', ')}`]),
    ...(note === null ? [] : [note]),
  ];
}

function boundsOf({ atMost, atLeast, turnedOn, turnedOff }: SupplyCut, form: ValueForm): string {
  if (turnedOn && turnedOff)
    return ` with ${valuesOf(turnedOn)} turned on, or ${valuesOf(turnedOff)} turned off`;
  const unit = form.type === 'number' ? form.unit : '';
  if (atMost !== null) return ` at ${atMost} ${unit} or less`;
  return atLeast === null ? '' : ` at ${atLeast} ${unit} or more`;
}

const valuesOf = (bits: readonly number[]): string => bits.map((bit) => 2 ** bit).join(', ');
