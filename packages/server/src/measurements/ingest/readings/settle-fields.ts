import type { QuantityName } from '@helioport/contract';
import type { DaySample } from '../../energy/day-state.ts';
import { createFieldList, UNSETTLED, type FieldList } from '../../energy/field-list.ts';
import type { FieldLists } from '../../series/field-lists.ts';

/** Sets of quantities for which an owner of plants needs lists, by the ids of the owners. */
type WantedSets = Map<string, (readonly QuantityName[])[]>;

/** Thrown if field lists must be created before a transaction can continue; the transaction is then started again. */
export class FieldListsWanted extends Error {
  readonly #sets: WantedSets;
  constructor(sets: WantedSets) {
    super('field lists have to be created');
    this.#sets = sets;
  }

  async create(fieldLists: FieldLists): Promise<void> {
    for (const [ownerId, sets] of this.#sets) await fieldLists.ensure(sets, ownerId);
  }
}

/** The list for a set of names in stored order; an unsettled one if it has to be created first. */
export type FieldsOf = (names: readonly QuantityName[]) => FieldList;

/** What finds the field lists of samples that will be stored, and of nothing else. */
export interface FieldSettling {
  of(ownerId: string): FieldsOf;
  /** Throws FieldListsWanted if lists are missing. Called before the first write. */
  end(): void;
}

export function createFieldSettling(fieldLists: FieldLists): FieldSettling {
  const found = new Map<string, FieldList>();
  const wanted: WantedSets = new Map();
  return {
    of: (ownerId) => (names) => {
      const key = `${ownerId} ${names.join()}`;
      let list = found.get(key);
      if (!list) {
        list = fieldLists.find(names, ownerId);
        if (!list) {
          list = createFieldList(UNSETTLED, names);
          const sets = wanted.get(ownerId);
          if (sets) sets.push(names);
          else wanted.set(ownerId, [names]);
        }
        found.set(key, list);
      }
      return list;
    },
    end() {
      if (wanted.size > 0) throw new FieldListsWanted(wanted);
    },
  };
}

/** A sample with the list that the database knows, if it came without. */
export function settled<S extends DaySample>(sample: S, fieldsOf: FieldsOf): S {
  if (sample.fields.id !== UNSETTLED) return sample;
  const { names } = sample.fields;
  const fields = fieldsOf(names);
  if (fields.names.length === names.length) return { ...sample, fields };
  const values = new Float64Array(fields.names.length).fill(Number.NaN);
  for (const [i, name] of names.entries()) values[fields.indexOf.get(name)!] = sample.values[i]!;
  return { ...sample, fields, values };
}
