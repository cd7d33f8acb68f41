import type { Language } from '@helioport/contract';
import { createMailTokenAnswers } from '../../../packages/server/src/identity/accounts/mail-tokens/answer.ts';
import {
  MAIL_TOKEN,
  requestMailToken,
} from '../../../packages/server/src/identity/accounts/mail-tokens/request.ts';
import type { MailTokenPurpose } from '../../../packages/server/src/identity/accounts/mail-tokens/tokens.ts';
import { createSecretBox } from '../../../packages/server/src/platform/kernel/secrets.ts';
import type { Letter } from '../../../packages/server/src/identity/mail/letter.ts';
import { createOutbox } from '../../../packages/server/src/identity/mail/outbox.ts';
import type { Db } from '../../../packages/server/src/platform/storage/database.ts';
import { createRunner } from '../../../packages/server/src/platform/work/runner.ts';
import type { createWorld } from '../../support/world.ts';

export interface Asked {
  readonly purpose?: MailTokenPurpose;
  readonly language?: Language;
  readonly address?: string;
  readonly browser?: string;
}

export type Posted = Letter & { readonly address: string };

/** People who ask for links in e-mails, and the worker that answers. */
export function createMailScene(database: () => { db: Db }, world: ReturnType<typeof createWorld>) {
  const { clock, newId } = world;
  const secretBox = createSecretBox(Buffer.alloc(32, 7));
  const outbox = createOutbox({ ids: newId, secretBox });
  let networks = 0;
  const scene = {
    /** Each time from a network of its own, unless given. */
    ask: (
      email: string,
      { purpose = 'reset', language = 'en', address, browser }: Asked = {},
      db = database().db,
    ): Promise<void> => {
      const from = address ?? `10.${++networks >> 8}.${networks & 255}.7`;
      return requestMailToken(
        db,
        { at: clock.at, newId },
        { purpose, email, language, address: from, browser },
      );
    },
    /** Answers what was asked. */
    async work(): Promise<void> {
      const { db } = database();
      const faults: unknown[] = [];
      const logger = {
        warn: (fault: unknown) => void faults.push(fault),
        error: (fault: unknown) => void faults.push(fault),
      };
      const answers = createMailTokenAnswers({
        db,
        clock,
        ids: newId,
        outbox,
        portalUrl: 'https://portal.example.org',
      });
      const runner = createRunner({
        db,
        clock,
        logger,
        lanes: { [MAIL_TOKEN]: { runsAtOnce: 2, limitSeconds: 60, ...answers } },
      });
      while ((await runner.runDue()) > 0);
      if (faults.length > 0) throw faults[0];
    },
    /** The letters in the outbox since the last call, oldest first. */
    async letters(): Promise<Posted[]> {
      const rows = await database().db.deleteFrom('mail').returningAll().execute();
      return rows
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, letter, address }) => ({
          ...(JSON.parse(secretBox.open(letter, id)) as Letter),
          address,
        }));
    },
    /** Asks, has it answered, and returns what was sent. */
    async sent(email: string, asked?: Asked): Promise<Posted[]> {
      await scene.ask(email, asked);
      await scene.work();
      return scene.letters();
    },
  };
  return scene;
}

/** The token in the link of a letter. */
export const tokenIn = (letter: Letter | undefined): string => letter!.link!.url.split('#')[1]!;
