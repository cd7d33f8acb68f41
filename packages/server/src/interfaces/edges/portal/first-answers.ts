import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PortalSession } from '@helioport/contract';
import { within } from '../../../platform/kernel/within.ts';
import { inputOf } from '../../operations/input.ts';
import { wireTextOf } from '../http/mount.ts';
import { admit } from './admit.ts';
import type { PortalDeps } from './deps.ts';

/** What the overview asks first (screens/overview of the app, of which a test compares the requests). */
const QUESTIONS = [
  { id: 'plant/overview', request: {} },
  { id: 'plant/ranking', request: { pageNo: 1, pageSize: 20, sort: 'state', direction: 'up' } },
] as const;

/** A page waits no longer for its answers: the app then asks by itself, and shows that it does. */
const PATIENCE_MS = 250;

/** Works out the answers that a page carries, as JSON; `null` if they cannot be had soon. Never rejects. */
export type FirstAnswers = () => Promise<string>;

/**
 * The answers to what the overview asks first, for a person who opens it, so that they travel beside its scripts. undefined for other pages, for people without
 * plants of their own, and for a person who asks too often: it counts as a request of each operation.
 */
export async function firstAnswersFor(
  deps: PortalDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  session: PortalSession | undefined,
): Promise<FirstAnswers | undefined> {
  if (request.raw.url !== '/' || !session?.account || session.account.role === 'operator')
    return undefined;
  const questions = QUESTIONS.map((question) => ({
    ...question,
    operation: deps.operations.find(({ id }) => id === question.id)!,
  }));
  try {
    const admissions = await Promise.all(
      questions.map(({ operation }) => admit(deps)(request, reply, operation)),
    );
    const answers = async (): Promise<string> => {
      const asking = questions.map(async ({ id, operation, request: asked }, i) => {
        const output = await deps.handlers[id]!(
          admissions[i]!.caller,
          inputOf(operation, asked) as never,
        );
        return `{"operation":"${id}","request":${JSON.stringify(asked)},"data":${wireTextOf(operation)(output)}}`;
      });
      return `[${(await Promise.all(asking)).join()}]`;
    };
    return async () =>
      (await within(PATIENCE_MS, answers()).catch((error: unknown) => unanswered(deps, error))) ??
      'null';
  } catch (error) {
    return unanswered(deps, error);
  }
}

/** Whatever it was, the app asks again and says what comes of it. */
function unanswered({ observability }: PortalDeps, error: unknown): undefined {
  observability.logger.debug(
    { reason: (error as Error).message },
    'a page was sent without its first answers',
  );
}
