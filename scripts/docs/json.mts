/** Objects down to the parts of an operation have one member per line; deeper ones stay on one line, or a change would be thousands of lines long. */
const DEPTH_SPREAD = 5;

/** A JSON document that can be read and compared line by line. */
export const jsonPage = (document: unknown): string => `${spread(document, 0)}\n`;

function spread(value: unknown, depth: number): string {
  if (depth === DEPTH_SPREAD || typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return '{}';
  const indent = ' '.repeat(depth + 1);
  const lines = members.map(
    ([name, member]) => `${indent}${JSON.stringify(name)}: ${spread(member, depth + 1)}`,
  );
  return `{\n${lines.join(',\n')}\n${' '.repeat(depth)}}`;
}
