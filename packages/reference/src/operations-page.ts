import {
  CO2_KG_PER_KWH,
  CO2_KG_PER_TREE,
  errors,
  families,
  hasDoor,
  parameterSentence,
  pathsOf,
  typeText,
  unwrap,
  type Door,
  type Family,
  type JsonSchema,
  type Operation,
} from '@helioport/contract';

/** Every operation with its parameters, fields, errors and example, as Markdown. */
export function operationsPage(operations: readonly Operation[]): string {
  const present = [...new Set(operations.map(({ family }) => family))];
  const contents = [
    '| family | operations |',
    '|---|---|',
    ...present.map((family) => contentsRow(family, operations)),
  ].join('\n');
  const records = new Map<JsonSchema, string>();
  const sections = present.map((family) => {
    const members = operations.filter((operation) => operation.family === family);
    return [
      `## ${families[family].title}`,
      families[family].description,
      ...members.map((operation) => sectionOf(operation, records)),
    ].join('\n\n');
  });
  return `${[INTRODUCTION, contents, ...sections].join('\n\n')}\n`;
}

const contentsRow = (family: Family, operations: readonly Operation[]): string => {
  const members = operations
    .filter((operation) => operation.family === family)
    .map(({ id }) => `[${id}](#${anchor(id)})`);
  return `| ${families[family].title} | ${members.join(', ')} |`;
};

const INTRODUCTION = `# Operations

Generated from the contract. Every operation is a POST request with a JSON object as its body. Numbers may be sent as strings; unknown keys are ignored.
Every answer is \`{"success", "code", "msg", "data"}\`; \`code\` is \`"0"\` on success. Unknown values are left out of \`data\`.
In lists and details, powers are in kW and energies of a day in kWh. If a field has a sibling \`...Str\` or \`...Unit\`,
that sibling names its unit, which depends on the size of the value (kWh, MWh, GWh): always read the two together.
Chart rows hold raw values; multiplied by \`...Pec\`, they are in the unit of \`...Str\`.
CO2 is computed with ${CO2_KG_PER_KWH} kg/kWh, the world average of 2018 (IEA, Global Energy & CO2 Status Report 2018), and trees with ${CO2_KG_PER_TREE} kg a year each. These are
conventions of monitoring portals, not measurements of a plant's own grid.`;

function sectionOf(operation: Operation, records: Map<JsonSchema, string>): string {
  const { id, summary, description, errors: names, example } = operation;
  return [
    `### ${id}`,
    description === undefined ? summary : `${summary} ${description}`,
    doorsOf(operation),
    requestTable(operation),
    answerOf(operation, records),
    names.length === 0
      ? undefined
      : `Refusals: ${names.map((name) => `\`${errors[name].code}\` ${errors[name].message}`).join('; ')}.`,
    `Example request:\n\n${json(example.request)}\n\nIts \`data\`:\n\n${json(example.data)}`,
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}

const interfaces: readonly (readonly [Door, string])[] = [
  ['signed', 'user-level'],
  ['oauth', 'OAuth'],
  ['client', 'an application’s own credentials'],
  ['portal', 'portal'],
  ['console', 'console of the service’s operators'],
  ['support', 'operators with an owner’s permission'],
];

function doorsOf(operation: Operation): string {
  const lines = interfaces.map(([door, title]) => {
    const paths = pathsOf(operation, door);
    const scope = door === 'oauth' ? `, scope \`${operation.scope}\`` : '';
    return `- ${title}: ${paths.length === 0 ? 'not offered' : `${codes(paths)}${scope}`}`;
  });
  if (hasDoor(operation, 'operator')) lines.push('- operator: the command line');
  if (operation.own === true) lines.push('- an addition of this service');
  return [...lines, ...(operation.write ? ['- a write: carried out once per request'] : [])].join(
    '\n',
  );
}

function requestTable({ request, needsOneOf = [], allOrNoneOf = [] }: Operation): string {
  const rows = Object.entries(request).map(([key, parameter]) => {
    const need = parameter.required
      ? 'yes'
      : needsOneOf.includes(key)
        ? 'one of these'
        : allOrNoneOf.includes(key)
          ? 'together'
          : '';
    return `| \`${parameter.names[0]}\` | ${need} | ${cell(parameterSentence(parameter))} |`;
  });
  return rows.length === 0
    ? 'No parameters.'
    : ['| parameter | required | meaning |', '|---|---|---|', ...rows].join('\n');
}

function answerOf({ id, response }: Operation, records: Map<JsonSchema, string>): string {
  const { container, having, record } = unwrap(response.schema);
  const rows = Object.entries(record.properties ?? {}).map(
    ([name, schema]) => `| \`${name}\` | ${typeText(schema)} | ${cell(schema.description ?? '')} |`,
  );
  if (rows.length === 0) return `\`data\`: ${container}.`;
  const known = records.get(record);
  if (known !== undefined)
    return `\`data\`: ${container}${having} the fields of [${known}](#${anchor(known)}).`;
  records.set(record, id);
  return [
    `\`data\`: ${container}${having} these fields:`,
    '',
    '| field | type | meaning |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

const codes = (paths: readonly string[]): string => paths.map((path) => `\`${path}\``).join(', ');
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const anchor = (id: string): string => id.toLowerCase().replaceAll('/', '');
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
