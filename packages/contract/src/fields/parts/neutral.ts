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
    gridSellTodayEnergy: 0,
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
