-- The same rule in fewer steps: the updates themselves tell whether an account has a row in this
-- currency, and no list of names is built for each transfer.
DROP TRIGGER transfer_moves_money;
CREATE TRIGGER transfer_moves_money AFTER INSERT ON transfers BEGIN
    UPDATE accounts SET units = units - NEW.units WHERE id = NEW.debit AND currency = NEW.currency;
    SELECT RAISE(ABORT, 'no such account in this currency') WHERE changes() <> (
        NEW.debit NOT GLOB 'house:*' AND NEW.debit NOT GLOB 'cashier:*'
        AND NEW.debit NOT GLOB 'debt:*' AND NEW.debit NOT GLOB 'contributed:*'
        AND NEW.debit NOT GLOB 'fx:*');
    UPDATE accounts SET units = units + NEW.units WHERE id = NEW.credit AND currency = NEW.currency;
    SELECT RAISE(ABORT, 'no such account in this currency') WHERE changes() <> (
        NEW.credit NOT GLOB 'house:*' AND NEW.credit NOT GLOB 'cashier:*'
        AND NEW.credit NOT GLOB 'debt:*' AND NEW.credit NOT GLOB 'contributed:*'
        AND NEW.credit NOT GLOB 'fx:*');
END;
