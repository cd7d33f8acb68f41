import type { Answer, Link } from '../link.ts';

/** A link whose token may be replaced in its file while it is in use. `readToken` may throw. */
export function openTokenLink(readToken: () => string, open: (token: string) => Link): Link {
  let token = readToken();
  let link = open(token);
  async function ask<T>(question: (link: Link) => Promise<Answer<T>>): Promise<Answer<T>> {
    const answer = await question(link);
    if ('setback' in answer && answer.setback.cause === 'barred') await renew();
    return answer;
  }
  async function renew(): Promise<void> {
    let next: string;
    try {
      next = readToken();
    } catch {
      return;
    }
    if (next === token) return;
    const old = link;
    token = next;
    link = open(next);
    await old.close();
  }
  return {
    reportBytes: link.reportBytes,
    report: (report, urgency) => ask((one) => one.report(report, urgency)),
    instructions: () => ask((one) => one.instructions()),
    results: (results) => ask((one) => one.results(results)),
    close: () => link.close(),
  };
}
