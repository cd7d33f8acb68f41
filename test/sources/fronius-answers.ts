const ok = (data: unknown) => ({
  Head: {
    RequestArguments: {},
    Status: { Code: 0, Reason: '', UserMessage: '' },
    Timestamp: '2026-11-28T12:00:00+01:00',
  },
  Body: { Data: data },
});
const not = (code: number, reason: string) => ({
  Head: { RequestArguments: {}, Status: { Code: code, Reason: reason, UserMessage: '' } },
  Body: { Data: {} },
});
const of = (Value: number | null, Unit: string) => ({ Value, Unit });
const realtime = (id: number, collection: string) =>
  `/solar_api/v1/GetInverterRealtimeData.cgi?Scope=Device&DeviceId=${id}&DataCollection=${collection}`;

/** A GEN24 with a battery that is charged and a meter at the grid, where 1.2 kW are sold. */
export const GEN24: Readonly<Record<string, unknown>> = {
  '/solar_api/GetAPIVersion.cgi': {
    APIVersion: 1,
    BaseURL: '/solar_api/v1/',
    CompatibilityRange: '1.8-1',
  },
  '/solar_api/v1/GetInverterInfo.cgi': ok({
    1: {
      CustomName: 'roof',
      DT: 1,
      ErrorCode: 0,
      PVPower: 9000,
      Show: 1,
      StatusCode: 7,
      UniqueID: '34567890',
    },
  }),
  '/solar_api/v1/GetPowerFlowRealtimeData.fcgi': ok({
    Inverters: {
      1: { Battery_Mode: 'normal', DT: 1, E_Day: null, E_Total: 4321098.5, P: 3012.3, SOC: 66.6 },
    },
    SecondaryMeters: {},
    Site: {
      E_Day: null,
      E_Total: 4321098.5,
      Meter_Location: 'grid',
      Mode: 'bidirectional',
      P_Akku: -2100.5,
      P_Grid: -1200.2,
      P_Load: -1812.1,
      P_PV: 5150.4,
    },
  }),
  [realtime(1, 'CommonInverterData')]: ok({
    DAY_ENERGY: of(null, 'Wh'),
    DeviceStatus: { ErrorCode: 0, InverterState: 'Running', StatusCode: 7 },
    FAC: of(50.01, 'Hz'),
    IAC: of(13.1, 'A'),
    IDC: of(7.1, 'A'),
    IDC_2: of(5.2, 'A'),
    PAC: of(3012.3, 'W'),
    TOTAL_ENERGY: of(4321098.5, 'Wh'),
    UAC: of(230.7, 'V'),
    UDC: of(412.5, 'V'),
    UDC_2: of(398.1, 'V'),
  }),
  [realtime(1, '3PInverterData')]: ok({
    IAC_L1: of(4.4, 'A'),
    IAC_L2: of(4.3, 'A'),
    IAC_L3: of(4.4, 'A'),
    UAC_L1: of(230.1, 'V'),
    UAC_L2: of(231.2, 'V'),
    UAC_L3: of(230.8, 'V'),
  }),
  '/solar_api/v1/GetMeterRealtimeData.cgi?Scope=System': ok({
    0: {
      Details: { Manufacturer: 'Fronius', Model: 'Smart Meter TS 65A-3', Serial: '1234567890' },
      SMARTMETER_VALUE_LOCATION_U16: 0,
      GRID_FREQUENCY_MEAN_F32: 50,
      SMARTMETER_POWERACTIVE_MEAN_SUM_F64: -1200.2,
      SMARTMETER_POWERACTIVE_01_F64: -900,
      SMARTMETER_POWERACTIVE_02_F64: -500.2,
      SMARTMETER_POWERACTIVE_03_F64: 200,
      SMARTMETER_ENERGYACTIVE_CONSUMED_SUM_F64: 1234567.8,
      SMARTMETER_ENERGYACTIVE_PRODUCED_SUM_F64: 7654321.1,
      SMARTMETER_VOLTAGE_01_F64: 230.5,
      SMARTMETER_VOLTAGE_02_F64: 231.5,
      SMARTMETER_VOLTAGE_03_F64: 229.5,
      ACBRIDGE_CURRENT_ACTIVE_MEAN_01_F32: -3.9,
    },
    // A subload.
    1: {
      Details: { Serial: '99' },
      SMARTMETER_VALUE_LOCATION_U16: 256,
      SMARTMETER_POWERACTIVE_MEAN_SUM_F64: 700,
    },
  }),
  '/solar_api/v1/GetStorageRealtimeData.cgi?Scope=System': ok({
    0: {
      Controller: {
        StateOfCharge_Relative: 66.6,
        Temperature_Cell: 19.5,
        Voltage_DC: 410.2,
        Enable: 1,
      },
      Modules: [],
    },
  }),
};

/** A Datamanager at night: the inverter says only what it has counted; the meter is in the way to the loads. */
export const NIGHT: Readonly<Record<string, unknown>> = {
  '/solar_api/GetAPIVersion.cgi': { APIVersion: 1, BaseURL: '/solar_api/v1/' },
  '/solar_api/v1/GetInverterInfo.cgi': ok({
    1: { DT: 123, PVPower: 5000, StatusCode: 3, UniqueID: '30412345' },
  }),
  '/solar_api/v1/GetPowerFlowRealtimeData.fcgi': ok({
    Inverters: { 1: { DT: 123, P: null } },
    Site: {
      Mode: 'vague-meter',
      P_Grid: 391.5,
      P_Load: -391.5,
      P_Akku: null,
      P_PV: null,
      E_Day: 0,
      E_Total: 26213502,
      Meter_Location: 'load',
    },
  }),
  [realtime(1, 'CommonInverterData')]: ok({
    DAY_ENERGY: of(0, 'Wh'),
    TOTAL_ENERGY: of(26213502, 'Wh'),
    DeviceStatus: { StatusCode: 3, ErrorCode: 523 },
  }),
  [realtime(1, '3PInverterData')]: not(8, 'not available'),
  '/solar_api/v1/GetMeterRealtimeData.cgi?Scope=System': ok({
    0: {
      Details: { Serial: '' },
      Meter_Location_Current: 1,
      PowerReal_P_Sum: -391.5,
      EnergyReal_WAC_Sum_Consumed: 5,
    },
  }),
  '/solar_api/v1/GetStorageRealtimeData.cgi?Scope=System': not(255, 'Storages are not supported'),
};

/** Two inverters at a Datamanager, with an older meter. */
export const TWO: Readonly<Record<string, unknown>> = {
  '/solar_api/GetAPIVersion.cgi': { APIVersion: 1, BaseURL: '/solar_api/v1/' },
  '/solar_api/v1/GetInverterInfo.cgi': ok({
    2: { DT: 86, UniqueID: '16777215' },
    1: { DT: 102, UniqueID: '38183' },
  }),
  '/solar_api/v1/GetPowerFlowRealtimeData.fcgi': ok({
    Inverters: { 1: { P: 1000 }, 2: { P: 2000 } },
    Site: { P_Grid: 100, P_Load: -3100, P_Akku: null, P_PV: 3000 },
  }),
  [realtime(1, 'CommonInverterData')]: ok({
    PAC: of(1000, 'W'),
    UAC: of(230, 'V'),
    TOTAL_ENERGY: of(1000, 'Wh'),
  }),
  [realtime(2, 'CommonInverterData')]: ok({
    PAC: of(2000, 'W'),
    UAC: of(231, 'V'),
    TOTAL_ENERGY: of(2000, 'Wh'),
  }),
  '/solar_api/v1/GetMeterRealtimeData.cgi?Scope=System': ok({
    0: {
      Details: { Model: 'Smart Meter 63A', Serial: '15480258' },
      Meter_Location_Current: 0,
      PowerReal_P_Sum: 100,
      PowerReal_P_Phase_1: 100,
      Voltage_AC_Phase_1: 230,
      EnergyReal_WAC_Sum_Consumed: 1739327,
      EnergyReal_WAC_Sum_Produced: 739014,
      Frequency_Phase_Average: 49.9,
    },
  }),
};

/** The first version of the interface. */
export const FIRST_VERSION: Readonly<Record<string, unknown>> = {
  '/solar_api/GetAPIVersion.cgi': { APIVersion: 0, BaseURL: '/solar_api/' },
  '/solar_api/GetInverterInfo.cgi': ok({ 1: { DT: 200, UniqueID: '4711' } }),
  '/solar_api/GetInverterRealtimeData.cgi?Scope=Device&DeviceIndex=1&DataCollection=CommonInverterData':
    ok({
      PAC: of(764, 'W'),
      TOTAL_ENERGY: of(17443000, 'Wh'),
      DAY_ENERGY: of(1200, 'Wh'),
    }),
};
