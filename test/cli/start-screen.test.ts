import { expect, test } from 'vitest';
import {
  startScreen,
  type Screen,
} from '../../packages/server/src/interfaces/cli/demo/start-screen.ts';

const usual = { dataDir: '/srv/data', userApiUrl: 'http://127.0.0.1:8080' };
const addresses = { 'user-api': usual.userApiUrl, oauth: 'http://127.0.0.1:8081' };
const demo = {
  people: [{ email: 'owner@demo.example', password: 'W9E0o77q1WSCcVFi', role: 'owner' }],
  keyId: '2123973209910398979',
  keySecret: '31c72668a304e9b69b5db39aee2c884c',
} satisfies Screen['demo'];

test('the first long number on the start screen is the KeyID, the first 32 hexadecimal digits are the KeySecret', () => {
  const screen = startScreen({ addresses, dataDir: usual.dataDir, demo, usual });
  expect(/\d{19}/.exec(screen)![0]).toBe(demo.keyId);
  expect(/\b[0-9a-f]{32}\b/.exec(screen)![0]).toBe(demo.keySecret);
  expect(screen).toContain('  npx --no-install helioport call userStationList\n');
  expect(screen).toContain('http://127.0.0.1:8080/reference');
});

test('its call says where and with which key when a bare one would go elsewhere', () => {
  const screen = startScreen({
    addresses: { 'user-api': 'http://127.0.0.1:9090' },
    dataDir: '/tmp/other',
    demo,
    usual,
  });
  expect(screen).toContain(
    `helioport call userStationList --url http://127.0.0.1:9090 --key-id ${demo.keyId} --key-secret ${demo.keySecret}`,
  );
});

test('over a database that the demo did not make it names nobody', () => {
  const screen = startScreen({ addresses, dataDir: usual.dataDir, demo: undefined, usual });
  expect(screen).toContain('helioport key create --user EMAIL');
  expect(screen).not.toContain('Key pair');
});
