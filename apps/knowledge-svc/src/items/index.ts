export { itemEvents } from './item-events.ts';
export {
  countChange,
  isHeld,
  isOfStatus,
  isReviewed,
  placeOf,
  supersededItem,
  type Author,
  type Sifted,
  type StoredItem,
} from './item.ts';
export {
  itemCollection,
  itemFields,
  itemModel,
  itemOf,
  itemRevisionCollection,
  itemRevisionModel,
  type ItemDocument,
  type Likeness,
} from './item.model.ts';
export { itemRoutes } from './items.routes.ts';
export { createItemsService } from './items.service.ts';
export { createItemStore, type ItemStore } from './items.store.ts';
export { createFindQuotes } from './quoted-by-people.ts';
export { searchTermsOf } from './search-terms.ts';
