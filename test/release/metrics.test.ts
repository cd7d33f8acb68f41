import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  declaredMetrics,
  type DeclaredMetric,
} from '../../packages/server/src/interfaces/edges/http/metrics/declared.ts';
import { createInstallation, type Installation } from '../support/command.ts';
import { makeSelfSigned } from '../support/machine/self-signed.ts';
import { serve, type ServerProcess } from '../support/server-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const metrics: Readonly<Record<string, DeclaredMetric>> = declaredMetrics;

/** The series that a query asks for. */
const namesIn = (query: string): string[] =>
  [...query.matchAll(/\b(?:helioport|process|nodejs)_\w+/g)].map(([name]) => name);

/** The labels that a query names, with those that Prometheus itself adds. */
const labelsIn = (query: string): string[] => [
  ...[...query.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside]) =>
    [...inside!.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
  ),
  ...[...query.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, inside]) =>
    inside!.split(',').map((label) => label.trim()),
  ),
];

const declaredOf = (series: string): DeclaredMetric | undefined => {
  const of = /^(.*)_(?:bucket|sum|count)$/.exec(series)?.[1];
  const histogram = of === undefined ? undefined : metrics[of];
  return histogram?.type === 'histogram' ? histogram : metrics[series];
};

function checkQuery(query: string): void {
  const found = namesIn(query).map((name) => [name, declaredOf(name) !== undefined]);
  expect(found).toEqual(namesIn(query).map((name) => [name, true]));
  const known = namesIn(query).flatMap((name) => declaredOf(name)!.labels);
  for (const label of labelsIn(query))
    expect([...known, 'le', 'instance', 'job'], query).toContain(label);
  // A counter tells nothing by itself.
  for (const name of namesIn(query))
    if (declaredOf(name)!.type === 'counter')
      expect(query).toMatch(new RegExp(String.raw`(rate|increase)\(${name}\b`));
}

/** Metrics that nobody is woken for, and why. */
const WITHOUT_RULE: Readonly<Record<string, string>> = {
  helioport_info: 'it is always 1',
  helioport_reports_in_work: 'what waits too long is late, which has a rule',
  helioport_mqtt_connections: 'silent collectors have a rule, however they are connected',
  helioport_portal_streams: 'how many people look is nobody’s fault',
  helioport_oauth_issued_total: 'as many as applications ask for',
  helioport_oauth_revoked_total: 'as many as applications end',
  helioport_work_due: 'what is late has a rule',
  helioport_work_running: 'what is late has a rule',
  helioport_database_connections: 'what waits for one has a rule',
  helioport_database_size_bytes: 'the disk has a rule',
  helioport_database_growth_bytes_per_day: 'the disk has a rule',
  helioport_table_size_bytes: 'the disk has a rule',
  helioport_processes: 'ends of processes have a rule',
  process_cpu_seconds_total: 'what is overloaded answers late, which has a rule',
  nodejs_heap_used_bytes: 'resident memory has a rule',
  nodejs_eventloop_utilization: 'no measure of load',
  nodejs_eventloop_delay_max_seconds: 'a single delay is none',
};

test('each metric is declared in one table, by the conventions of Prometheus', () => {
  for (const file of globSync('packages/server/src/**/*.ts', { cwd: ROOT }))
    if (!file.endsWith('metrics/declared.ts'))
      expect([file, /new (Counter|Gauge|Histogram|Summary)\(/.test(read(file))]).toEqual([
        file,
        false,
      ]);
  for (const [name, { type, help }] of Object.entries(metrics)) {
    expect(name).toMatch(/^(helioport|process|nodejs)(_[a-z0-9]+)+$/);
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    expect(help).toMatch(/^[A-Z1][^\n]*[^.]$/);
  }
});

test('alert rules name series and labels that there are, and each has a test and a remedy', () => {
  const { groups } = parse(read('deploy/samples/prometheus/rules.yaml')) as {
    groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  for (const { expr, annotations } of rules) {
    checkQuery(expr.replace(/\bup\{[^}]*\}/, ''));
    expect(Object.keys(annotations)).toEqual(['summary', 'remedy']);
  }
  const { tests } = parse(read('deploy/samples/prometheus/rules-test.yaml')) as {
    tests: { alert_rule_test: { alertname: string }[] }[];
  };
  const tested = tests.flatMap((one) => one.alert_rule_test.map(({ alertname }) => alertname));
  expect(tested).toEqual(rules.map(({ alert }) => alert));
  const watched = new Set(
    rules.flatMap(({ expr }) => namesIn(expr).map((name) => name.replace(/_bucket$/, ''))),
  );
  expect(Object.keys(metrics).filter((name) => !watched.has(name))).toEqual(
    Object.keys(WITHOUT_RULE),
  );
});

test('the dashboard asks for series and labels that there are, and each of its panels for some', () => {
  const { panels } = JSON.parse(read('deploy/samples/grafana/helioport.json')) as {
    panels: { type: string; title: string; targets?: { expr: string }[] }[];
  };
  const shown = panels.filter(({ type }) => type !== 'row');
  expect(shown.length).toBeGreaterThan(20);
  for (const { title, targets = [] } of shown) {
    expect([title, targets.length > 0]).toEqual([title, true]);
    for (const { expr } of targets) {
      expect(namesIn(expr).length).toBeGreaterThan(0);
      checkQuery(expr);
    }
  }
});

describe('a running server', () => {
  let home: Installation;
  let server: ServerProcess;
  beforeAll(async () => {
    home = createInstallation();
    const [key, cert] = [join(home.folder, 'key.pem'), join(home.folder, 'cert.pem')];
    makeSelfSigned({ keyFile: key, certFile: cert, name: 'x' });
    server = serve(home.folder, {
      HELIOPORT_PROCESSES: '2',
      HELIOPORT_MQTT_TLS_CERT: cert,
      HELIOPORT_MQTT_TLS_KEY: key,
      HELIOPORT_SMTP_URL: 'smtp://127.0.0.1:1',
      HELIOPORT_MAIL_FROM: 'no-reply@example.org',
    });
    await server.started;
  });
  afterAll(async () => {
    server.kill('SIGTERM');
    await server.ended;
    home.remove();
  });
  const scrape = async (): Promise<string> =>
    (await fetch(`${(await server.started)['ops']}/metrics`)).text();

  test('has all of them, as they are declared, but those of what it does not use', async () => {
    const typed = new Map(
      [...(await scrape()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [
        name,
        type,
      ]),
    );
    const unused = [
      'helioport_mqtt_broker_connected',
      'helioport_series_nodes',
      'helioport_series_request_seconds',
      // SQLite would have to read its whole file for them.
      'helioport_table_size_bytes',
    ];
    const expected = Object.entries(metrics).filter(([name]) => !unused.includes(name));
    expect(Object.fromEntries(typed)).toEqual(
      Object.fromEntries(expected.map(([name, { type }]) => [name, type])),
    );
  });

  test('tells what log-ins came to, when the certificate expires, and that nobody has made a backup', async () => {
    const { portal } = await server.started;
    const session = await fetch(`${portal}/portal/session`);
    const { data } = (await session.json()) as { data: { csrf: string } };
    const answer = await fetch(`${portal}/portal/log-in`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Helioport-CSRF': data.csrf,
        Cookie: session.headers
          .getSetCookie()
          .map((cookie) => cookie.split(';')[0])
          .join('; '),
      },
      body: JSON.stringify({ email: 'nobody@example.org', password: 'not the right one' }),
    });
    await answer.body?.cancel();
    const text = await scrape();
    const expiry = /^helioport_certificate_expiry_timestamp_seconds\{listener="mqtt"\} (\S+)$/m;
    expect(Number(expiry.exec(text)![1]) * 1000 - Date.now()).toBeGreaterThan(86_400_000);
    expect(text).toMatch(/^helioport_backup_timestamp_seconds 0$/m);
    expect(text).toMatch(/^helioport_collectors\{state="silent"\} 0$/m);
    expect(text).toMatch(/^helioport_log_ins_total\{outcome="wrongLogin"\} 1$/m);
    expect((await home.helioport('backup', 'copy')).exitCode).toBe(0);
    expect(await scrape()).toMatch(
      /^helioport_backup_timestamp_seconds 1\.\d+e\+?9|^helioport_backup_timestamp_seconds 1\d{9}/m,
    );
  });
});
