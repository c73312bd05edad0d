import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { Button } from '../ui/button.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { TextField } from '../ui/fields.tsx';
import { FormError } from '../ui/form-error.tsx';
import { ModalDialog } from '../ui/overlay.tsx';
import { modelsKey } from '../runtime/queries.ts';

interface DialogProps {
  readonly projectId: string;
  /** Provider that is changed; undefined for a new one. */
  readonly provider: Api.Provider | undefined;
  readonly onClose: () => void;
}

const NO_PRICE: Api.ModelPrice = { model: '', inputPerMillionTokens: '', outputPerMillionTokens: '', currency: 'USD' };

/** Form for a provider and what its models cost. */
export function ProviderDialog({ projectId, provider, onClose }: DialogProps): ReactNode {
  const [name, setName] = useState(provider?.name ?? '');
  const [baseUrl, setBaseUrl] = useState(provider?.baseUrl ?? '');
  const [apiKey, setApiKey] = useState('');
  const [prices, setPrices] = useState<readonly Api.ModelPrice[]>(provider?.prices ?? []);
  const save = useChange(
    () => {
      const url = baseUrl.trim();
      const body = {
        ...(url === '' ? {} : { baseUrl: url }),
        ...(apiKey === '' ? {} : { apiKey }),
        prices: prices.filter(({ model }) => model.trim() !== ''),
      };
      return provider === undefined
        ? clew.providers.create({ name: name.trim(), ...body }, { project: projectId })
        : clew.providers.update(provider.name, body, { project: projectId });
    },
    { invalidates: [[...modelsKey(projectId)]], onDone: onClose, onError: () => undefined },
  );
  const errors = fieldErrors(save.error);
  const isComplete = name.trim() !== '' && !save.isPending;
  return (
    <ModalDialog
      title={provider === undefined ? 'Add a provider' : `Edit ${provider.name}`}
      isOpen
      isWide
      onClose={onClose}
      closeLabel="Cancel"
      actions={
        <Button look="main" isDisabled={!isComplete} onPress={() => save.mutate(undefined)}>
          Save
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <TextField
          label="Name"
          value={name}
          isDisabled={provider !== undefined}
          autoFocus={provider === undefined}
          placeholder="openai"
          error={errors.get('name')}
          hint="Its models are called with it: openai/gpt-5. Names of known providers bring their address."
          onChange={setName}
        />
        <TextField
          label="Address"
          type="url"
          isMono
          value={baseUrl}
          placeholder="https://host/v1"
          error={errors.get('baseUrl')}
          onChange={setBaseUrl}
        />
        <TextField
          label="Key"
          type="password"
          value={apiKey}
          error={errors.get('apiKey')}
          hint={provider?.hasApiKey === true ? 'There is one. Left empty, it stays.' : 'It is stored encrypted.'}
          onChange={setApiKey}
        />
        <Prices {...{ prices, errors }} onPrices={setPrices} />
        <FormError error={save.error} taken={errors.size > 0} />
      </div>
    </ModalDialog>
  );
}

interface PricesProps {
  readonly prices: readonly Api.ModelPrice[];
  readonly errors: ReadonlyMap<string, string>;
  readonly onPrices: (prices: readonly Api.ModelPrice[]) => void;
}

function Prices({ prices, errors, onPrices }: PricesProps): ReactNode {
  const set = (at: number, change: Partial<Api.ModelPrice>) =>
    onPrices(prices.map((price, each) => (each === at ? { ...price, ...change } : price)));
  return (
    <fieldset className="flex flex-col gap-2 rounded-md border border-line px-3 pt-1 pb-2.5">
      <legend className="px-1 font-medium">Prices</legend>
      <p className="text-xs text-muted">
        A million tokens. With them, usage is shown as cost; later changes count for later calls.
      </p>
      {prices.map((price, at) => (
        <div key={at} className="grid grid-cols-[2fr_1fr_1fr_5rem_auto] items-end gap-2">
          <TextField
            label="Model"
            isMono
            value={price.model}
            error={errors.get(`prices.${at}.model`)}
            onChange={(model) => set(at, { model })}
          />
          <TextField
            label="Input"
            value={price.inputPerMillionTokens}
            placeholder="2.50"
            error={errors.get(`prices.${at}.inputPerMillionTokens`)}
            onChange={(inputPerMillionTokens) => set(at, { inputPerMillionTokens })}
          />
          <TextField
            label="Output"
            value={price.outputPerMillionTokens}
            placeholder="10"
            error={errors.get(`prices.${at}.outputPerMillionTokens`)}
            onChange={(outputPerMillionTokens) => set(at, { outputPerMillionTokens })}
          />
          <TextField
            label="Currency"
            value={price.currency}
            maxLength={3}
            error={errors.get(`prices.${at}.currency`)}
            onChange={(currency) => set(at, { currency: currency.toUpperCase() })}
          />
          <Button
            look="quiet"
            aria-label={`Remove the price of ${price.model === '' ? 'this row' : price.model}`}
            onPress={() => onPrices(prices.filter((_, each) => each !== at))}
          >
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button onPress={() => onPrices([...prices, NO_PRICE])}>Add a price</Button>
      </div>
    </fieldset>
  );
}
