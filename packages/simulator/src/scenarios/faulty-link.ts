import type {
  Answer,
  Clock,
  Link,
  Report,
  ReportOutcome,
  Setback,
  Urgency,
} from '@helioport/collector';
import { underWay, type Scenario } from './scenario.ts';

const BROKEN: Setback = {
  cause: 'away',
  reason: 'the connection to the server is down (scenario link-loss)',
};

/** Wraps a collector's link in the scenarios that affect the connection to the server. */
export function createFaultyLink(link: Link, scenarios: readonly Scenario[], clock: Clock): Link {
  const isUnderWay = (kind: Scenario['kind']): boolean =>
    underWay(scenarios, kind, clock.now()).length > 0;
  /** The time by the collector's clock, which may be off. */
  const sentAt = (): number =>
    clock.now() + 1000 * (underWay(scenarios, 'clock-drift', clock.now())[0]?.seconds ?? 0);
  /** A report that waits until the next one has been sent. */
  let held: Report | undefined;

  async function onWay<T>(ask: () => Promise<Answer<T>>): Promise<Answer<T>> {
    if (isUnderWay('link-loss')) return { setback: BROKEN };
    const answer = await ask();
    // A message that was under way when the link broke may have arrived, but its answer is lost.
    return isUnderWay('link-loss') ? { setback: BROKEN } : answer;
  }

  async function send(report: Report, urgency: Urgency): Promise<Answer<ReportOutcome>> {
    const sent = { ...report, sentAt: sentAt() };
    const answer = await link.report(sent, urgency);
    return isUnderWay('duplicate-reports') ? link.report(sent, urgency) : answer;
  }

  async function release(): Promise<void> {
    if (held && 'value' in (await send(held, 'live'))) held = undefined;
  }

  async function exchanged(report: Report, urgency: Urgency): Promise<Answer<ReportOutcome>> {
    if (!held && urgency === 'live' && isUnderWay('reordered-reports')) {
      held = report;
      return { value: { accepted: 0, duplicate: 0, refused: [] } };
    }
    const answer = await send(report, urgency);
    if ('value' in answer) await release();
    return answer;
  }

  return {
    reportBytes: link.reportBytes,
    report: (report, urgency) => onWay(() => exchanged(report, urgency)),
    instructions: () => onWay(() => link.instructions()),
    results: (results) => onWay(() => link.results(results)),
    async close() {
      await release();
      await link.close();
    },
  };
}
