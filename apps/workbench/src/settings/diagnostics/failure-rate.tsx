import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { count, counted, percent } from '../../text/format.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { Bars } from '../../ui/bars.tsx';
import { InlineSelect } from '../../ui/inline-select.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { calibrationQuery, failureRateQuery, reviewDaysQuery } from '../queries.ts';
import { failureText, lastDays } from './reviews.ts';

const SPANS = [
  { id: '7', label: 'Last 7 days' },
  { id: '30', label: 'Last 30 days' },
  { id: '90', label: 'Last 90 days' },
];

/** Share of conversations that fail, as reviews show it, with how sure that is. */
export function FailureRate({ projectId }: { readonly projectId: string }): ReactNode {
  const [days, setDays] = useState('30');
  const [nowMs] = useState(Date.now);
  const rate = useQuery(failureRateQuery(projectId, lastDays(Number(days), nowMs)));
  const reviewDays = useQuery(reviewDaysQuery(projectId, Number(days)));
  const calibration = useQuery(calibrationQuery(projectId));
  return (
    <Panel
      title="Conversations that fail"
      hint="Estimated from those that were drawn at random and read."
      aside={<InlineSelect label="Time" value={days} onChange={setDays} options={SPANS} />}
    >
      <Loaded query={rate} label="The share is being read" lines={2}>
        {(data) => <Rate rate={data} />}
      </Loaded>
      {reviewDays.data === undefined || reviewDays.data.length === 0 ? null : (
        <div className="mt-4">
          <ReviewBars days={reviewDays.data} />
        </div>
      )}
      {calibration.data === undefined ? null : <Calibration calibration={calibration.data} />}
    </Panel>
  );
}

function Rate({ rate }: { readonly rate: Api.FailureRate }): ReactNode {
  const { low, high } = rate;
  return (
    <div className="flex flex-col gap-1.5">
      {rate.rate === null ? null : <p className="text-xl font-semibold tabular-nums">{percent(rate.rate)}</p>}
      {rate.rate === null ? null : (
        <div aria-hidden className="relative h-2 max-w-md rounded-full bg-sunken">
          <div
            className="absolute inset-y-0 rounded-full bg-critical opacity-35"
            style={{ left: `${low * 100}%`, right: `${(1 - high) * 100}%` }}
          />
          <div className="absolute -inset-y-0.5 w-0.5 bg-critical" style={{ left: `${rate.rate * 100}%` }} />
        </div>
      )}
      <p className="text-muted">
        {failureText(rate)}
        {rate.model === null ? null : (
          <>
            {' '}
            Read by <HostileText text={rate.model} />.
          </>
        )}
      </p>
    </div>
  );
}

function ReviewBars({ days }: { readonly days: readonly Api.ReviewDay[] }): ReactNode {
  const reviewed = days.reduce((sum, day) => sum + day.reviewed, 0);
  const tokens = days.reduce((sum, day) => sum + day.tokens, 0);
  return (
    <Bars
      label="Reviews by day"
      summary={`${counted(reviewed, 'conversation')} read, for ${count(tokens)} tokens.`}
      valueName="read"
      height={48}
      bars={[...days].reverse().map((day) => ({ startMs: Date.parse(day.day), value: day.reviewed }))}
    />
  );
}

function Calibration({ calibration }: { readonly calibration: Api.ScoreCalibration }): ReactNode {
  const { source, judged, failed, brierBefore, brierAfter } = calibration;
  return (
    <p className="mt-4 text-muted">
      {source === null
        ? `Scores of Rules stay as they are: too few outcomes are known (${count(judged)}).`
        : `Scores of Rules are brought in line with ${counted(judged, 'known outcome')} (${count(failed)} failed) from ${source}.`}
      {brierBefore === null || brierAfter === null
        ? ''
        : ` Their mean squared error went from ${brierBefore.toFixed(3)} to ${brierAfter.toFixed(3)}.`}
    </p>
  );
}
