import { Button, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Actions, Card, Fields, More, Note, Section } from '../../components/layout.tsx';
import styles from './debugger.module.css';
import { timeIn, type Draft } from './draft.ts';
import { texts } from './texts/index.ts';

interface RequestFormProps {
  readonly draft: Draft;
  readonly pasted: string;
  /** Why what was pasted cannot be read; empty if it can. */
  readonly fault: string;
  readonly onChange: (draft: Draft) => void;
  readonly onPaste: (text: string) => void;
  readonly onExample: () => void;
  readonly onClear: () => void;
  readonly onCheck: () => void;
}

/** What is known about the request: pasted as a whole, or typed in parts. Browsers keep none of it. */
export function RequestForm({
  draft,
  pasted,
  fault,
  onChange,
  onPaste,
  onExample,
  onClear,
  onCheck,
}: RequestFormProps): ReactNode {
  const t = texts.useTexts();
  const field = (name: Exclude<keyof Draft, 'profile'>) => ({
    value: draft[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...draft, [name]: event.currentTarget.value }),
    autoComplete: 'off',
    spellCheck: false,
  });
  const code = {
    classNames: { input: styles.code! },
    autosize: false,
    resize: 'vertical',
  } as const;
  const isTime = !Number.isNaN(timeIn(draft.arrived) ?? 0);
  const isEmpty = draft.target.trim() === '' && draft.headers.trim() === '';
  return (
    <Card
      component="form"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        onCheck();
      }}
    >
      <Textarea
        label={t.paste}
        description={t.pasteLead}
        error={fault || undefined}
        rows={7}
        value={pasted}
        onChange={(event) => onPaste(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        {...code}
      />
      <Actions>
        <Button variant="default" size="xs" onClick={onExample}>
          {t.example}
        </Button>
        <Button variant="subtle" size="xs" onClick={onClear}>
          {t.clear}
        </Button>
      </Actions>
      <More open={!isEmpty}>
        <summary>{t.parts}</summary>
        <Section component="div">
          <div className={styles.line}>
            <TextInput label={t.method} {...field('method')} />
            <TextInput
              label={t.target}
              {...field('target')}
              placeholder="/v1/api/userStationList"
            />
          </div>
          <Textarea label={t.headers} rows={5} {...field('headers')} {...code} />
          <Textarea label={t.body} description={t.bodyLead} rows={3} {...field('body')} {...code} />
        </Section>
      </More>
      <PasswordInput
        label={t.keySecret}
        description={t.keySecretLead}
        {...field('keySecret')}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t.show }}
      />
      <More>
        <summary>{t.more}</summary>
        <Section component="div">
          <Textarea
            label={t.ownText}
            description={t.ownTextLead}
            rows={5}
            {...field('ownText')}
            {...code}
          />
          <Textarea
            label={t.answer}
            description={t.answerLead}
            rows={3}
            {...field('answer')}
            {...code}
          />
          <Fields>
            <TextInput label={t.keyId} {...field('keyId')} />
            <TextInput
              label={t.arrived}
              description={t.arrivedLead}
              error={isTime ? undefined : t.notATime}
              {...field('arrived')}
            />
          </Fields>
          <NativeSelect
            label={t.profile}
            value={draft.profile}
            onChange={(event) =>
              onChange({ ...draft, profile: event.currentTarget.value as Draft['profile'] })
            }
            data={(['compatible', 'strict'] as const).map((value) => ({
              value,
              label: t.profiles[value],
            }))}
          />
        </Section>
      </More>
      <Actions>
        <Button type="submit" disabled={isEmpty || !isTime}>
          {t.check}
        </Button>
        {isEmpty && <Note>{t.nothing}</Note>}
      </Actions>
    </Card>
  );
}
