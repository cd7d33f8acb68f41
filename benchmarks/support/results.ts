import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

const FILE = new URL('../RESULTS.md', import.meta.url);
const HEAD = `# Benchmark results

Each section is written by the benchmark that it names: \`npm run bench NAME\`. Every figure is shown next to its reference, and
both are measured alternately in the same run, since machines differ and a shared one varies from minute to minute.
`;

/** Replaces a benchmark's section of RESULTS.md, or adds it. `body` is Markdown with headings from level 3. */
export function writeResults(title: string, benchmark: string, body: string): void {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEAD;
  const [head = HEAD, ...sections] = text.split(/^(?=## )/m);
  const section = `## ${title}\n\n\`npm run bench ${benchmark}\`, ${machine()}\n\n${body.trim()}\n`;
  const others = sections
    .filter((other) => !other.startsWith(`## ${title}\n`))
    .map((other) => `${other.trim()}\n`);
  const ordered = [...others, section].toSorted((a, b) => (a < b ? -1 : 1));
  writeFileSync(FILE, `${head.trim()}\n\n${ordered.join('\n')}`);
}

function machine(): string {
  const day = new Date().toISOString().slice(0, 10);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const memoryGib = Math.round(totalmem() / 2 ** 30);
  return `${day}, ${commit}, Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? 'CPU'}, ${memoryGib} GiB`;
}
