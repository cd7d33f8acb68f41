import {
  declaredMetrics,
  type DeclaredMetric,
} from '../../packages/server/src/interfaces/edges/http/metrics/declared.ts';

/** docs/metrics.md, generated from the table of metrics. */
export function metricsPage(): string {
  const rows = Object.entries<DeclaredMetric>(declaredMetrics).map(row);
  return `# Metrics

\`GET /metrics\` on the ops port (\`HELIOPORT_OPS_PORT\`) answers in the text format of Prometheus. Units are in the names. Each instance tells its own figures; with
\`HELIOPORT_PROCESSES\`, those of all its processes together. What is called "of all instances" is read from the database and alike everywhere: take the
maximum, not the sum. A metric is missing where it says nothing, such as \`helioport_disk_free_bytes\` with PostgreSQL.

Alert rules with their tests are in \`deploy/samples/prometheus\`, and a dashboard for Grafana is \`deploy/samples/grafana/helioport.json\`. Two Prometheus servers that
scrape one instance take the delays of the event loop from each other, since those are measured from one scrape to the next.

| metric | type | labels | |
|---|---|---|---|
${rows.join('\n')}
`;
}

const row = ([name, { type, help, labels }]: [string, DeclaredMetric]): string =>
  `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`;
