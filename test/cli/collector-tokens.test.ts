import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstallation, type Installation } from '../support/command.ts';

describe('tokens of collectors on the command line', () => {
  let home: Installation;
  beforeAll(async () => {
    home = createInstallation();
    await home.ok(
      'user',
      'add',
      '--email',
      'owner@example.com',
      '--role',
      'owner',
      '--password',
      'correct horse battery',
    );
    await home.ok('collector', 'add', '--owner', 'owner@example.com', '--sn', 'C-1');
  });
  afterAll(() => home.remove());

  const tokens = async (): Promise<{ id: string; expiresAt: number | null }[]> =>
    (await home.ok('collector', 'show', 'C-1')).tokens;

  test('are rotated, with an overlap when asked, and revoked', async () => {
    const [first] = await tokens();
    const rotated = await home.ok('collector', 'rotate', 'C-1', '--overlap', '1d');
    expect(rotated).toEqual({
      sn: 'C-1',
      tokenId: expect.stringMatching(/^\d{19}$/),
      token: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
    });
    expect((await tokens()).map(({ id, expiresAt }) => [id, expiresAt === null])).toEqual([
      [first!.id, false],
      [rotated.tokenId, true],
    ]);
    const { tokenId } = await home.ok('collector', 'rotate', 'C-1');
    expect((await tokens()).map(({ id }) => id)).toEqual([tokenId]);
    expect(await home.ok('collector', 'revoke', 'C-1')).toEqual({ sn: 'C-1', revoked: 1 });
    expect(await tokens()).toEqual([]);
    expect((await home.helioport('collector', 'show', 'C-1')).stdout).toContain('tokens: none');
    expect(await home.ok('collector', 'revoke', 'C-1')).toEqual({ sn: 'C-1', revoked: 0 });
  });

  test('ask for a collector that there is, and for an overlap that can be', async () => {
    for (const [args, exitCode, message] of [
      [['rotate', 'NONE'], 1, 'there is no such collector: NONE'],
      [['revoke', 'NONE'], 1, 'there is no such collector: NONE'],
      [['rotate', 'C-1', '--overlap', 'long'], 2, '90s, 30m, 12h or 1d'],
      [['add', '--sn', 'C-2', '--owner', 'nobody@example.com'], 1, 'the user does not exist'],
      [['add', '--sn', 'C-2', '--owner', 'owner@example.com', '--plant', '1'], 2, '--plant'],
    ] as const) {
      const outcome = await home.helioport('collector', ...args);
      expect([args, outcome.exitCode, outcome.stderr]).toEqual([
        args,
        exitCode,
        expect.stringContaining(message),
      ]);
    }
  });
});
