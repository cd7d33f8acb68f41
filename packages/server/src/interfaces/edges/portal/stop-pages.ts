import type { Front } from '@helioport/reference/front-page';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { IdSource } from '../../../platform/kernel/ids.ts';
import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import { findSettings } from '../../../outbound/notifications/settings/settings.ts';
import {
  readStop,
  stopMails,
  STOP_PATH,
} from '../../../outbound/notifications/settings/stop-link.ts';
import { notificationTexts } from '../../../outbound/notifications/texts/texts.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { frontAnswer } from '../http/front.ts';

interface StopDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly secretBox: SecretBox;
  readonly portalUrl: string;
}

/**
 * Where the link in an e-mail leads. Opening it changes nothing, since programs that look for bad links open it too; the page's button and the mail
 * programs of readers post to it. Neither has a session, and the link is proof enough. RFC 8058
 */
export const stopPages =
  ({ db, clock, ids, secretBox, portalUrl }: StopDeps) =>
  async (server: FastifyInstance): Promise<void> => {
    const stopOf = ({ query }: FastifyRequest) => {
      const { token } = query as Record<string, unknown>;
      return typeof token === 'string' ? readStop(secretBox, token) : undefined;
    };

    async function answer(
      reply: FastifyReply,
      request: FastifyRequest,
      done: boolean,
    ): Promise<FastifyReply> {
      const stop = stopOf(request);
      const language = stop ? (await findSettings(db, stop.accountId)).language : 'en';
      const {
        title,
        question,
        button,
        done: stopped,
        unreadable,
      } = notificationTexts[language].stopPage;
      const links = [{ href: portalUrl, text: 'Helioport' }];
      const page: Front = {
        title,
        language,
        links,
        text: stop ? (done ? stopped : question) : unreadable,
        ...(stop && !done && { button }),
      };
      const { headers, body } = await frontAnswer(page, request.headers.accept);
      const policy = headers['Content-Security-Policy']?.replace(
        "form-action 'none'",
        "form-action 'self'",
      );
      return reply
        .code(stop ? 200 : 400)
        .headers({
          ...headers,
          'Cache-Control': 'no-store',
          ...(policy !== undefined && { 'Content-Security-Policy': policy }),
        })
        .send(body);
    }

    const config = { limit: 'network' } as const;
    server.get(STOP_PATH, { config }, (request, reply) => answer(reply, request, false));
    server.post(STOP_PATH, { config, bodyLimit: BODY_LIMIT_BYTES }, async (request, reply) => {
      const stop = stopOf(request);
      if (stop)
        await db
          .transaction()
          .execute((trx) =>
            stopMails(trx, { at: clock.now(), address: request.ip, newId: ids }, stop),
          );
      return answer(reply, request, true);
    });
  };

/** More than `List-Unsubscribe=One-Click`. */
const BODY_LIMIT_BYTES = 4 * 1024;
