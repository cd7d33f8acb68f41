import { Failure } from '../../platform/kernel/failure.ts';
import { createPlaces, type Places } from '../../platform/kernel/places.ts';

const AT_ONCE = 1;
const RETRY_SECONDS = 10;

/** Tests that somebody has under way: what does not answer holds connections for a while, so there is one at a time. */
export const createTestPlaces = (): Places =>
  createPlaces({
    each: AT_ONCE,
    refusal: () =>
      new Failure('tooManyRequests', {
        data: { retryAfterSeconds: RETRY_SECONDS },
        message: `a test is under way: try again in ${RETRY_SECONDS} s`,
      }),
  });
