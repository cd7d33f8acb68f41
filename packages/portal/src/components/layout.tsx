import { Box, type BoxProps } from '@mantine/core';
import type { ComponentPropsWithRef, JSX, ReactNode } from 'react';
import styles from './layout.module.css';

type Tag = keyof JSX.IntrinsicElements;

/** Attributes of the element that it is, Mantine's style props, and whether it is of a variant. */
type PartProps<As extends Tag, Flag extends string> = Omit<BoxProps, 'component'> &
  Omit<ComponentPropsWithRef<As>, keyof BoxProps | Flag> & {
    readonly [each in Flag]?: boolean | undefined;
  } & { readonly component?: As };

/** A part that pages are laid out with: an element of one look; `flags` name its variants. */
function part<Default extends Tag, Flag extends string = never>(
  tag: Default,
  look: string | undefined,
  flags: readonly Flag[] = [],
): <As extends Tag = Default>(props: PartProps<As, Flag>) => ReactNode {
  return function LayoutPart({ component, className, ...others }) {
    const given: Record<string, unknown> = { ...others };
    const mod = flags.map((flag) => ({ [flag]: given[flag] }));
    for (const flag of flags) delete given[flag];
    return (
      <Box
        component={(component ?? tag) as 'div'}
        className={className === undefined ? look : `${look} ${className}`}
        mod={mod}
        {...given}
      />
    );
  };
}

/** All of a screen. `narrow`: what is below its head is a column of forms or text. */
export const Page = part('div', styles.page, ['narrow']);
export const Section = part('section', styles.section);
export const Card = part('section', styles.card);
/** `line`: divided from what is above it in a card. */
export const Form = part('form', styles.form, ['line']);
/** Fields side by side, where there is room. */
export const Fields = part('div', styles.fields);
/** Cards side by side, where there is room. */
export const Cards = part('div', styles.cards, ['wide']);
/** What stands at both ends of a line. */
export const Row = part('div', styles.row);
/** Buttons and links. `end`: those of a dialog. */
export const Actions = part('div', styles.actions, ['end']);
/** `divided`: by lines, each entry with its buttons at its end. `boxed`: a card of its own. */
export const List = part('ul', styles.list, ['divided', 'boxed']);
/** Names and values. `across`: beside one another. `rows`: a line each, with the value at its end. */
export const Facts = part('dl', styles.facts, ['across', 'rows']);
/** Numbers that are read first. */
export const Figures = part('dl', styles.figures);
/** Fields that answer one question. */
export const Choices = part('fieldset', styles.choices);
export const Soft = part('p', styles.soft);
/** Small print. */
export const Note = part('p', styles.note);
/** What stands below one another in a line or a cell. */
export const Stacked = part('span', styles.stacked);
export const FaultText = part('p', styles.fault);
/** What is to be minded: `fault`, `good` or `plain`, else a warning. */
export const Hint = part('p', styles.hint, ['fault', 'good', 'plain']);
export const Bullets = part('ul', styles.bullets);
/** A table of few numbers. */
export const Numbers = part('table', styles.numbers);
/** What happened, and when. */
export const Log = part('ul', styles.log);
/** What is read when it is wanted. */
export const More = part('details', styles.more);
export const Code = part('pre', styles.code);
