import type { FastifyReply, FastifyRequest } from 'fastify';
import { languageTags } from '@helioport/contract';
import { findAccount } from '../../../identity/accounts/accounts.ts';
import { printReport } from '../../../outbound/reports/pdf.ts';
import { createBoundedQueue } from '../../../platform/kernel/bounded-queue.ts';
import { inputOf } from '../../operations/input.ts';
import { admitVisitor } from './admit.ts';
import type { PortalDeps } from './deps.ts';

/** Printing one takes some tenths of a second of this process's time. */
const PRINTING = {
  runningAtMost: 1,
  waitingAtMost: 50,
  waitingOfOriginAtMost: 3,
  retryAfterSeconds: 5,
} as const;

const OPERATION = 'plant/report';

/**
 * GET /portal/reports/<plant id>: `plant/report` as a PDF, with the same parameters, limits, turns and refusals. What is asked for in Chinese is in English,
 * and says so.
 */
export function createReportPrinting(deps: PortalDeps) {
  const queue = createBoundedQueue(PRINTING);
  const operation = deps.operations.find(({ id }) => id === OPERATION)!;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { caller } = await admitVisitor(deps)(request, reply, operation);
    const { plantId } = request.params as { readonly plantId: string };
    const query = request.query as Readonly<Record<string, unknown>>;
    const asked = inputOf(operation, { ...query, plantId }) as { language?: string };
    const accountId = caller.accountId!;
    const wanted = asked.language ?? (await findAccount(deps.db, accountId))?.language ?? 'en';
    const language = languageTags.find((tag) => tag === wanted && tag !== 'zh') ?? 'en';
    const report = await deps.handlers[OPERATION]!(caller, { ...asked, language } as never);
    const pdf = await queue.run(
      () => printReport(report as never, { language, isTranslated: wanted === language }),
      { origin: accountId },
    );
    return reply
      .headers({
        'Content-Type': 'application/pdf',
        'Content-Length': pdf.length,
        'Content-Disposition': `inline; filename="helioport-${plantId}-${(report as { month: string }).month}.pdf"`,
      })
      .send(pdf);
  };
}
