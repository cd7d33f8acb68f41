import type { Profile } from './profiles/profile.ts';
import { registerProfiles } from './profiles/profiles.ts';
import { identifyRegisters as identifyFamily } from './registers/identify.ts';
import { NotIdentified, type Identity, type ReadWords } from './registers/identify.ts';
import { identifySunSpec } from './sunspec/sunspec.ts';

/** Where devices list their SunSpec models: nearly all at the first. */
const [USUAL, ...OTHERS] = [40_000, 0, 50_000] as const;

/**
 * Finds out what a device is: by its own list of models, if it has one, or by what the registers of each family show. Throws
 * NotIdentified rather than guess; rejects as `read` does if the device never answers.
 */
export async function identify(
  read: ReadWords,
  profiles: readonly Profile[] = registerProfiles(),
): Promise<Identity> {
  // Some devices do not answer at all to addresses that they do not have, which the families find out, too.
  const listed = await identifySunSpec(read, [USUAL]).catch(() => null);
  if (listed) return listed;
  try {
    return await identifyFamily(read, profiles);
  } catch (error) {
    if (!(error instanceof NotIdentified) || error.isAmbiguous) throw error;
    const elsewhere = await identifySunSpec(read, OTHERS).catch(() => null);
    if (elsewhere) return elsewhere;
    throw error;
  }
}
