import { HOUR_MS } from '@helioport/contract/durations';
import type { NotificationTestResult } from '@helioport/contract';
import { admitSending } from '../../../identity/accounts/sending.ts';
import { fewAtOnce } from '../../../platform/kernel/few-at-once.ts';
import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import type { Outcome } from '../../sinks/sink.ts';
import { pushKeysOf } from '../outlets/push-keys.ts';
import { sendPush } from '../outlets/push.ts';
import { findSettings } from '../settings/settings.ts';
import { stopUrlOf } from '../settings/stop-link.ts';
import { findTarget, listSubscriptions } from '../settings/subscriptions.ts';
import { findWebhookSink, listWebhooks } from '../settings/webhooks.ts';
import { notificationTexts } from '../texts/texts.ts';
import { postNotification } from './deliver.ts';
import { contactOf, type NotificationDeps } from './deps.ts';
import { connectionErrorOf } from './settle.ts';

type TestDeps = Omit<NotificationDeps, 'random'>;

/** What does not answer holds a connection for a while. */
const CONNECTIONS_AT_ONCE = 5;

/**
 * Sends a test message in every way that an account has set up, whatever the hour, and resolves to what became of each. Throws tooManyRequests if too many were
 * sent lately.
 */
export async function sendTestNotification(
  deps: TestDeps,
  account: { readonly id: string; readonly email: string },
): Promise<NotificationTestResult[]> {
  const { db, clock, secretBox } = deps;
  const [browsers, webhooks] = [
    await listSubscriptions(db, account.id),
    await listWebhooks(db, account.id),
  ];
  await admitSending(db, clock.now(), 'notificationTest', {
    by: account.id,
    to: [account.email, ...webhooks.map(({ url }) => new URL(url).host)],
  });
  // Each attempt ends by itself.
  const { signal } = new AbortController();
  const mail = await testMail(deps, account, secretBox);
  return [
    ...(mail ? [mail] : []),
    ...(await fewAtOnce(CONNECTIONS_AT_ONCE, browsers, async ({ id }) =>
      resultOf('push', id, await testPush(deps, account.id, id, signal)),
    )),
    ...(await fewAtOnce(CONNECTIONS_AT_ONCE, webhooks, async ({ id }) =>
      resultOf('webhook', id, await testWebhook(deps, account.id, id, signal)),
    )),
  ];
}

function resultOf(
  channel: 'push' | 'webhook',
  id: string,
  outcome: Outcome | undefined,
): NotificationTestResult {
  const delivered = outcome?.kind === 'delivered';
  return {
    channel,
    id,
    delivered,
    reason: delivered ? null : (outcome?.reason ?? 'it wants nothing more'),
    connectionError: connectionErrorOf(outcome),
  };
}

/** A test by e-mail, if the account wants e-mails and the installation can send them. */
async function testMail(
  { db, clock, outbox, portalUrl }: TestDeps,
  { id: accountId, email: address }: { readonly id: string; readonly email: string },
  box: SecretBox,
): Promise<NotificationTestResult | undefined> {
  const { alarmsByMail, weeklyByMail, changesByMail, language } = await findSettings(db, accountId);
  if (!outbox || !(alarmsByMail || weeklyByMail || changesByMail)) return undefined;
  const { test, open, why, stop } = notificationTexts[language];
  const letter = {
    language,
    subject: test.title,
    paragraphs: [test.body],
    link: { text: open, url: `${portalUrl}/alarms` },
    footer: why,
    stop: {
      text: stop,
      url: stopUrlOf(portalUrl, box, {
        accountId,
        what: alarmsByMail ? 'alarms' : weeklyByMail ? 'weekly' : 'changes',
      }),
    },
  };
  const now = clock.now();
  await db
    .transaction()
    .execute((trx) =>
      outbox.post(trx, now, { accountId, address, letter, expiresAt: now + HOUR_MS }),
    );
  return { channel: 'mail', id: null, delivered: true, reason: null, connectionError: null };
}

async function testPush(
  deps: TestDeps,
  accountId: string,
  id: string,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const { db, secretBox, ids } = deps;
  const browser = await findTarget(db, secretBox, accountId, id);
  if (!browser) return undefined;
  const { test } = notificationTexts[(await findSettings(db, accountId)).language];
  const message = {
    id: ids(),
    urgent: true,
    payload: JSON.stringify({ title: test.title, body: test.body, url: '/alarms' }),
  };
  return sendPush(
    { ...deps, keys: await pushKeysOf(db, secretBox), contact: contactOf(deps) },
    browser,
    message,
    signal,
  );
}

async function testWebhook(
  deps: TestDeps,
  accountId: string,
  id: string,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const now = deps.clock.now();
  const destination = await findWebhookSink(deps.db, deps.secretBox, accountId, id, now);
  if (!destination) return undefined;
  return postNotification(
    destination,
    deps,
    { id: deps.ids(), createdAt: now, kind: 'notification.test' },
    {},
    signal,
  );
}
