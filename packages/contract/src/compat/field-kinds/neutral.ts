import type { InverterRecord } from '../../records/index.ts';

/**
 * All constants that replace unknown values. Existing clients read these keys without checking, so the keys must be present. All other unknown values
 * are left out. interface W11
 */
export const neutral = {
  plantListed: {
    capacityPercent: 0,
    homeLoadTodayEnergy: 0,
    homeLoadTotalEnergy: 0,
  },
  inverterListed: {
    // Until the model is entered or reported. An empty text breaks writers of line protocol.
    model: 'unknown',
    productModel: 'unknown',
    gridPurchasedTodayEnergy: 0,
    gridPurchasedTotalEnergy: 0,
    gridSellTodayEnergy: 0,
    gridSellTotalEnergy: 0,
    psum: 0,
    batteryPower: 0,
    /** Never needed: every device has a state. */
    currentState: '2',
  },
  inverter: {
    model: 'unknown',
    productModel: 'unknown',
    collectorId: '0',
    /** For an inverter that has never reported. */
    dataTimestamp: '0',
    /** Never needed: every device has a state. */
    currentState: '2',
    hmiVersionAll: '0000',
    psum: 0,
    familyLoadPower: 0,
    uPv1: 0,
    uPv2: 0,
    uPv3: 0,
    uPv4: 0,
    uAc1: 0,
    uAc2: 0,
    uAc3: 0,
    // 0 for a device without a battery, as in recordings of the existing service.
    batteryType: '0',
    batteryPower: 0,
    batteryHealthSoh: 0,
    batteryCapacitySoc: 0,
    storageBatteryVoltage: 0,
    storageBatteryCurrent: 0,
    batteryVoltage: 0,
    bstteryCurrent: 0,
    batteryTodayChargeEnergy: 0,
    batteryTotalChargeEnergy: 0,
    batteryTodayDischargeEnergy: 0,
    batteryTotalDischargeEnergy: 0,
    // 0 for an inverter without a meter at the grid connection.
    gridPurchasedTodayEnergy: 0,
    gridPurchasedTotalEnergy: 0,
    gridSellTodayEnergy: 0,
    gridSellTotalEnergy: 0,
  },
} as const satisfies Record<string, Readonly<Record<string, number | string>>>;

/** A constant that stands for a thing only as long as there is none. */
export interface Unless<R> {
  /** The thing, in words. */
  readonly thing: string;
  readonly exists: (record: R) => boolean;
}

/** Which of the constants stand only for what does not exist: a value of a battery that is there is unknown, not 0. */
export type Exceptions<R> = Readonly<Record<string, Unless<R>>>;

const battery: Unless<InverterRecord> = {
  thing: 'a battery',
  exists: ({ facts, values, energies }) =>
    facts.storage === true ||
    (facts.batteryType ?? '0') !== '0' ||
    values.batterySocPercent !== undefined ||
    values.batterySohPercent !== undefined ||
    (values.batteryVoltageV ?? 0) > 0 ||
    (energies.batteryCharge?.totalKwh ?? 0) > 0 ||
    (energies.batteryDischarge?.totalKwh ?? 0) > 0,
};

const gridMeter: Unless<InverterRecord> = {
  thing: 'a grid meter',
  exists: ({ energies }) => Boolean(energies.gridImport ?? energies.gridExport),
};

const loadMeter: Unless<InverterRecord> = {
  thing: 'a measured load',
  exists: ({ energies }) => Boolean(energies.load),
};

/** An input or phase is there once the inverter has reported, if it has that many. */
const input = (number: number): Unless<InverterRecord> => ({
  thing: 'this input',
  exists: ({ facts, lastReportAt }) => Boolean(lastReportAt) && (facts.dcInputs ?? 0) >= number,
});
const phase = (number: number): Unless<InverterRecord> => ({
  thing: 'this phase',
  exists: ({ facts, lastReportAt }) => Boolean(lastReportAt) && (facts.phases ?? 0) >= number,
});

const listedExceptions = {
  psum: gridMeter,
  batteryPower: battery,
  gridPurchasedTodayEnergy: gridMeter,
  gridPurchasedTotalEnergy: gridMeter,
  gridSellTodayEnergy: gridMeter,
  gridSellTotalEnergy: gridMeter,
};

export const exceptions = {
  inverterListed: listedExceptions,
  inverter: {
    ...listedExceptions,
    familyLoadPower: loadMeter,
    uPv1: input(1),
    uPv2: input(2),
    uPv3: input(3),
    uPv4: input(4),
    uAc1: phase(1),
    uAc2: phase(2),
    uAc3: phase(3),
    batteryHealthSoh: battery,
    batteryCapacitySoc: battery,
    storageBatteryVoltage: battery,
    storageBatteryCurrent: battery,
    batteryVoltage: battery,
    bstteryCurrent: battery,
    batteryTodayChargeEnergy: battery,
    batteryTotalChargeEnergy: battery,
    batteryTodayDischargeEnergy: battery,
    batteryTotalDischargeEnergy: battery,
  },
} as const satisfies Record<string, Exceptions<InverterRecord>>;
