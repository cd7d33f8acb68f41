/** What a Shelly Pro 3EM answers: 1,500 W are sold. */
export const PRO_3EM = {
  '/shelly': {
    id: 'shellypro3em-aabbccddeeff',
    mac: 'AABBCCDDEEFF',
    model: 'SPEM-003CEBEU',
    gen: 2,
    ver: '1.4.2',
    auth_en: false,
    profile: 'triphase',
  },
  '/rpc/Shelly.GetStatus': {
    'em:0': {
      id: 0,
      a_current: 4.029,
      a_voltage: 236.1,
      a_act_power: -951.2,
      a_aprt_power: 951.9,
      a_pf: 1,
      a_freq: 50,
      b_current: 4.027,
      b_voltage: 236.2,
      b_act_power: -951.1,
      b_aprt_power: 951.8,
      b_pf: 1,
      b_freq: 50,
      c_current: 1.7,
      c_voltage: 236.3,
      c_act_power: 402.3,
      c_aprt_power: 402.5,
      c_pf: 1,
      c_freq: 50,
      n_current: null,
      total_current: 9.756,
      total_act_power: -1500,
      total_aprt_power: 2306.2,
      user_calibrated_phase: [],
    },
    'emdata:0': {
      id: 0,
      a_total_act_energy: 1000.1,
      a_total_act_ret_energy: 2000.2,
      total_act: 123456.78,
      total_act_ret: 9876.54,
    },
    sys: { mac: 'AABBCCDDEEFF', uptime: 11081 },
    wifi: { ssid: 'HOME', rssi: -60 },
  },
};
export const PRO_3EM_VALUES = {
  gridPowerW: 1500,
  gridImportTotalKwh: 123.45678,
  gridExportTotalKwh: 9.87654,
  acPower1W: 951.2,
  acPower2W: 951.1,
  acPower3W: -402.3,
  acVoltage1V: 236.1,
  acVoltage2V: 236.2,
  acVoltage3V: 236.3,
  acCurrent1A: 4.029,
  acCurrent2A: 4.027,
  acCurrent3A: 1.7,
};

/** Two clamps: the connection, and an inverter. */
export const PRO_EM = {
  '/shelly': { mac: 'AABBCC001122', model: 'SPEM-002CEBEU50', gen: 2, ver: '1.2.0' },
  '/rpc/Shelly.GetStatus': {
    'em1:0': {
      id: 0,
      current: 2.2,
      voltage: 224.6,
      act_power: 480.5,
      aprt_power: 494,
      pf: 0.97,
      freq: 50,
    },
    'em1:1': {
      id: 1,
      current: 22.78,
      voltage: 224.7,
      act_power: 5080.3,
      aprt_power: 5142.4,
      pf: 0.99,
      freq: 50,
    },
    'em1data:0': { id: 0, total_act_energy: 6644.9, total_act_ret_energy: 2595.26 },
    'em1data:1': { id: 1, total_act_energy: 1234567.8, total_act_ret_energy: 0 },
    'switch:0': { id: 0, output: true, temperature: { tC: 29.4 } },
  },
};

/** A plug with an inverter of a balcony. */
export const PLUG = {
  '/shelly': { mac: 'AABBCC334455', model: 'S3PL-00112EU', gen: 3, ver: '1.5.0' },
  '/rpc/Shelly.GetStatus': {
    'switch:0': {
      id: 0,
      output: true,
      apower: 412.3,
      voltage: 231.4,
      current: 1.79,
      aenergy: { total: 98765.432, by_minute: [1, 2, 3] },
    },
  },
};

const emeter = (power: number, voltage: number, total: number, total_returned: number) => ({
  power,
  reactive: 1.2,
  pf: 0.9,
  current: 2.5,
  voltage,
  is_valid: true,
  total,
  total_returned,
});
/** The first generation. */
export const FIRST_3EM = {
  '/shelly': {
    type: 'SHEM-3',
    mac: 'AABBCC667788',
    auth: false,
    fw: '20230913-114244/v1.14.0-gcb84623',
  },
  '/status': {
    emeters: [
      emeter(100.5, 230.1, 1000.3, 10.1),
      emeter(-700, 230.2, 2000.3, 20.1),
      emeter(50, 230.3, 3000.3, 30.1),
    ],
    total_power: -549.5,
    mac: 'AABBCC667788',
  },
};
export const FIRST_EM = {
  '/shelly': { type: 'SHEM', mac: 'AABBCC99AABB', auth: false, fw: 'x' },
  '/status': { emeters: [emeter(100, 230, 1000, 0), emeter(900, 231, 5000, 1)] },
};
export const FIRST_PLUG = {
  '/shelly': { type: 'SHPLG-S', mac: 'AABBCCCCDDEE', auth: false, fw: 'x' },
  '/status': { meters: [{ power: 333.3, is_valid: true, total: 6_000_000 }] },
};
