import { HOUR_MS } from '@helioport/contract/durations';
import type { NotificationsShown } from '@helioport/contract';
import { setLanguage, type Account } from '../../identity/accounts/accounts.ts';
import { admitSending } from '../../identity/accounts/sending.ts';
import { namedAccount } from '../../identity/accounts/subject.ts';
import { invalidValue } from '../../platform/kernel/failure.ts';
import { pushKeysOf } from '../../outbound/notifications/outlets/push-keys.ts';
import { sendTestNotification } from '../../outbound/notifications/messages/test-message.ts';
import { findSettings, setSettings } from '../../outbound/notifications/settings/settings.ts';
import {
  checkSubscription,
  listSubscriptions,
  removeSubscription,
  subscribe,
} from '../../outbound/notifications/settings/subscriptions.ts';
import { showWeek } from '../../outbound/notifications/weekly/shown.ts';
import {
  checkWebhook,
  insertWebhook,
  listWebhooks,
  removeWebhook,
  rotateWebhook,
} from '../../outbound/notifications/settings/webhooks.ts';
import type { Db } from '../../platform/storage/database.ts';
import { change } from './act.ts';
import { createTestPlaces } from './test-places.ts';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';
import { ownAccount as heldAccount } from './rights/accounts.ts';

type NotificationOperations = HandlersOf<
  | 'notifications/settings'
  | 'notifications/set'
  | 'notifications/test'
  | 'notifications/week'
  | 'push/subscribe'
  | 'push/list'
  | 'push/remove'
  | 'webhook/add'
  | 'webhook/list'
  | 'webhook/rotate'
  | 'webhook/remove'
>;

const OVERLAP_HOURS = 24;
const LABEL = 'Browser';

/** People choose the notifications of their plants, and how. */
export function createNotificationOperations(deps: OperationDependencies): NotificationOperations {
  const { db, clock, ids, credentials, outbound, notifications } = deps;

  const shown = async (from: Db, { id, email, timeZone }: Account): Promise<NotificationsShown> => {
    const {
      quiet,
      weeklyByMail: weekly,
      changesByMail: changes,
      ...settings
    } = await findSettings(from, id);
    const { publicKey: pushKey } = await pushKeysOf(from, await credentials.secretBox());
    const hours = {
      quietFrom: quiet && clockTime(quiet.from),
      quietTo: quiet && clockTime(quiet.to),
    };
    return {
      ...settings,
      ...hours,
      weekly,
      changes,
      email,
      timeZone,
      pushKey,
      mailAvailable: notifications.outbox !== null,
    };
  };

  const tests = createTestPlaces();

  return {
    'notifications/settings': async (caller) => shown(db, await namedAccount(db, caller)),

    async 'notifications/set'(caller, input, once) {
      const {
        alarmsByMail = false,
        weekly = false,
        changes = false,
        minLevel = 2,
        plantIds = null,
        urgentPasses = true,
      } = input;
      const { quietFrom, quietTo, webhooksQuiet = false, language } = input;
      const quiet =
        quietFrom === undefined || quietTo === undefined
          ? null
          : { from: minuteOf('quietFrom', quietFrom), to: minuteOf('quietTo', quietTo) };
      const settings = {
        alarmsByMail,
        weeklyByMail: weekly,
        changesByMail: changes,
        minLevel,
        plantIds,
        quiet,
        urgentPasses,
        webhooksQuiet,
      };
      return change(deps, caller, once, heldAccount, async (trx, act, account) => {
        await setSettings(trx, act, account, settings);
        if (language !== undefined) await setLanguage(trx, account.id, language);
        return shown(trx, account);
      });
    },

    async 'notifications/test'(caller) {
      const account = await namedAccount(db, caller);
      const secretBox = await credentials.secretBox();
      return tests.during(account.id, () =>
        sendTestNotification({ db, clock, ids, secretBox, ...outbound, ...notifications }, account),
      );
    },

    'notifications/week': async (caller, { week: day, language, region }) =>
      showWeek(deps, await namedAccount(db, caller), { day, language, region }),

    async 'push/subscribe'(caller, { label = LABEL, ...target }, once) {
      const { id: by } = await namedAccount(db, caller);
      await admitSending(db, clock.now(), 'addressCheck', { by, to: [] });
      // Looks names up, so before the transaction.
      await checkSubscription(target, outbound.egress);
      const box = await credentials.secretBox();
      return change(deps, caller, once, heldAccount, async (trx, act, { id }) => ({
        id: await subscribe(trx, act, box, id, target, label),
      }));
    },

    'push/list': async (caller) => listSubscriptions(db, (await namedAccount(db, caller)).id),

    'push/remove': async (caller, { id }, once) =>
      change(deps, caller, once, heldAccount, (trx, act, account) =>
        removeSubscription(trx, act, account.id, id),
      ),

    async 'webhook/add'(caller, { url }, once) {
      const { id: by } = await namedAccount(db, caller);
      await admitSending(db, clock.now(), 'addressCheck', { by, to: [] });
      await checkWebhook(url, outbound.egress);
      const box = await credentials.secretBox();
      return change(deps, caller, once, heldAccount, (trx, act, { id }) =>
        insertWebhook(trx, act, box, id, url),
      );
    },

    'webhook/list': async (caller) => listWebhooks(db, (await namedAccount(db, caller)).id),

    async 'webhook/rotate'(caller, { id, overlapHours = OVERLAP_HOURS }, once) {
      const box = await credentials.secretBox();
      const formerEndsAt = clock.now() + overlapHours * HOUR_MS;
      return change(deps, caller, once, heldAccount, async (trx, act, account) => ({
        id,
        secret: await rotateWebhook(trx, act, box, account.id, id, formerEndsAt),
        formerEndsAt,
      }));
    },

    'webhook/remove': async (caller, { id }, once) =>
      change(deps, caller, once, heldAccount, (trx, act, account) =>
        removeWebhook(trx, act, account.id, id),
      ),
  };
}

/** Minutes of the day, as HH:MM. */
const clockTime = (minutes: number): string =>
  [Math.trunc(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

function minuteOf(field: string, text: string): number {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hour === undefined || minute === undefined)
    throw invalidValue(field, 'a time of day from 00:00 to 23:59');
  return Number(hour) * 60 + Number(minute);
}
