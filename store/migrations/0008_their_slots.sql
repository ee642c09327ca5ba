-- What stands in the slots of those developers moves to their one spelling. Keys that were freed in the same transaction
-- cannot be taken again in it, so this is a step of its own.

UPDATE facts SET
    active_key = 'developer' || chr(31) || lower(owner) || substr(active_key, length('developer' || chr(31) || owner) + 1),
    slot = 'developer' || chr(31) || lower(owner) || substr(slot, length('developer' || chr(31) || owner) + 1),
    owner = lower(owner)
WHERE scope = 'developer' AND owner LIKE '%_@_%' AND owner <> lower(owner);

UPDATE reviews SET
    open_key = 'developer' || chr(31) || lower(owner) || substr(open_key, length('developer' || chr(31) || owner) + 1),
    slot = 'developer' || chr(31) || lower(owner) || substr(slot, length('developer' || chr(31) || owner) + 1),
    undo_data = replace(undo_data, 'developer\u001f' || owner, 'developer\u001f' || lower(owner)),
    owner = lower(owner)
WHERE scope = 'developer' AND owner LIKE '%_@_%' AND owner <> lower(owner);

UPDATE tombstones SET
    slot = 'developer' || chr(31) || lower(owner) || substr(slot, length('developer' || chr(31) || owner) + 1),
    owner = lower(owner)
WHERE scope = 'developer' AND owner LIKE '%_@_%' AND owner <> lower(owner);

UPDATE refusals SET
    slot = 'developer' || chr(31) || lower(owner) || substr(slot, length('developer' || chr(31) || owner) + 1),
    owner = lower(owner)
WHERE scope = 'developer' AND owner LIKE '%_@_%' AND owner <> lower(owner);

UPDATE events SET
    slot = 'developer' || chr(31) || lower(owner) || substr(slot, length('developer' || chr(31) || owner) + 1),
    owner = lower(owner)
WHERE starts_with(slot, 'developer' || chr(31)) AND owner LIKE '%_@_%' AND owner <> lower(owner);
