import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';

/** `metricName`: that of a histogram’s series, such as its sum. */
type Value = MetricValue<string> & { readonly metricName?: string };
export type Metrics = readonly MetricObjectWithValues<Value>[];

/** The metrics of several processes, put together. */
export interface MetricsSum {
  /** Replaces the metrics of a process. */
  take(pid: number, metrics: Metrics): void;
  /** A process has ended: what it had counted stays in the sum, so that no counter goes back. */
  ended(pid: number): void;
  sum(): Registry;
}

export function createMetricsSum(): MetricsSum {
  const latest = new Map<number, Metrics>();
  let departed: Metrics = [];
  return {
    take: (pid, metrics) => void latest.set(pid, metrics),
    ended(pid) {
      // Gauges tell what is, not what was; and what every process reads alike goes on with the others.
      const counted = (latest.get(pid) ?? []).filter(
        ({ type, aggregator }) => COUNTING.includes(String(type)) && aggregator === 'sum',
      );
      latest.delete(pid);
      departed = added(departed, counted);
    },
    sum: () => AggregatorRegistry.aggregate([...latest.values(), departed] as object[]),
  };
}

const COUNTING = ['counter', 'histogram'];

/** Both hold only what is summed, series by series. */
function added(some: Metrics, others: Metrics): Metrics {
  const names = new Map(some.map((metric) => [metric.name, metric]));
  for (const metric of others) {
    const known = names.get(metric.name);
    names.set(
      metric.name,
      known ? { ...metric, values: addedValues(known.values, metric.values) } : metric,
    );
  }
  return [...names.values()];
}

function addedValues(some: readonly Value[], others: readonly Value[]): Value[] {
  const series = new Map<string, Value>();
  for (const value of [...some, ...others]) {
    const key = JSON.stringify([value.metricName, value.labels]);
    series.set(key, { ...value, value: (series.get(key)?.value ?? 0) + value.value });
  }
  return [...series.values()];
}
